package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;

/** Clients that wait for a server connection are served in their order, and none is left out. */
@Timeout(60)
class WaitQueueTest {
  private static final int WAITERS = 10;
  private static final int CLIENTS_PER_USER = 10;
  private static final long LOAD_NS = Duration.ofSeconds(2).toNanos();

  /**
   * With several lanes a server connection may stay in its lane for as many clients as the pool has
   * connections, here one, before it goes to a client that has waited longer in another.
   */
  @ProxyTest(direct = false, compare = false)
  void firstComeFirstServed(Rig rig) {
    rig.server().createTable("served", "id int GENERATED ALWAYS AS IDENTITY, waiter int");
    WireClient holder = rig.poolSize(1).client();
    holder.query("BEGIN");
    List<WireClient> waiters = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiters.add(rig.client());
    }
    for (int i = 0; i < WAITERS; i++) {
      waiters.get(i).send(query("INSERT INTO served (waiter) VALUES (" + i + ")"));
      assertThat(waiters.get(i).silentFor(Duration.ofMillis(30))).isTrue();
    }
    holder.query("ROLLBACK");
    waiters.forEach(waiter -> assertThat(waiter.trace()).isEqualTo("C[INSERT 0 1] ZI"));
    List<String> order = rig.server().column("SELECT waiter FROM served ORDER BY id");
    int slack = rig.lanes() > 1 ? 1 : 0;
    for (int i = 0; i < WAITERS; i++) {
      assertThat(order.indexOf(String.valueOf(i)))
          .as("place of %d in %s", i, order)
          .isBetween(i - slack, i + slack);
    }
  }

  /** Three users have a pool each, and all of them the limit of the database in common. */
  @ProxyTest(direct = false, compare = false)
  void aCommonLimitStarvesNoPool(Rig rig) throws Exception {
    List<String> users = List.of("fair1", "fair2", "fair3");
    rig.poolSize(5).database(ConfigKey.MAX_DB_CONNECTIONS, "5");
    for (String user : users) {
      rig.server().createRole(user, "'" + user + "'", "scram-sha-256");
      rig.user(user, user);
    }
    int[] served = new int[users.size()];
    List<Future<Integer>> loads = new ArrayList<>();
    rig.address();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < users.size() * CLIENTS_PER_USER; i++) {
        loads.add(threads.submit(load(rig, users.get(i % users.size()))));
      }
      for (int i = 0; i < loads.size(); i++) {
        served[i % users.size()] += loads.get(i).get();
      }
    } finally {
      threads.shutdown();
    }
    int average = (served[0] + served[1] + served[2]) / users.size();
    for (int count : served) {
      assertThat(count)
          .as("served %s", Arrays.toString(served))
          .isBetween(average / 2, average * 2);
    }
  }

  @ProxyTest(direct = false, compare = false)
  void whoWaitsTooLongLeavesTheQueue(Rig rig) {
    rig.server().createTable("served", "id int GENERATED ALWAYS AS IDENTITY, waiter int");
    rig.option(ConfigKey.QUERY_WAIT_TIMEOUT_S, "1");
    WireClient holder = rig.poolSize(1).client();
    holder.query("BEGIN");
    WireClient waiter = rig.client();
    waiter.send(query("INSERT INTO served (waiter) VALUES (1)"));
    assertThat(waiter.trace("E", 1)).matches("E\\[(ERROR|FATAL) 53300 .*]");
    assertThat(holder.query("COMMIT")).isEqualTo("C[COMMIT] ZI");
    assertThat(holder.scalar("SELECT count(*) FROM served")).isEqualTo("0");
  }

  private static Callable<Integer> load(Rig rig, String user) {
    return () -> {
      long end = System.nanoTime() + LOAD_NS;
      int count = 0;
      try (WireClient client = rig.bystander(Login.of(user, "app", user))) {
        while (System.nanoTime() - end < 0) {
          assertThat(client.query("SELECT pg_sleep(0.01)")).isEqualTo("T D('',) C[SELECT 1] ZI");
          count++;
        }
      }
      return count;
    };
  }
}
