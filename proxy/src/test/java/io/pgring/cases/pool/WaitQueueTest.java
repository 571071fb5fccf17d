package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;

/** Clients that wait for a server connection are served in their order, and none is left out. */
@Timeout(60)
class WaitQueueTest {
  private static final int WAITERS = 10;

  /** The number of waiting clients in a row of SHOW POOLS. */
  private static final Pattern CLIENTS_OF_APP =
      Pattern.compile("D\\('app', 'app', '\\d+', '(\\d+)'");

  private static final int CLIENTS_PER_USER = 10;
  private static final int QUERIES = 900;

  /**
   * With several lanes a server connection may stay in its lane for as many clients as the pool has
   * connections, here one, before it goes to a client that has waited longer in another.
   */
  @ProxyTest(direct = false, compare = false)
  void firstComeFirstServed(Rig rig) {
    rig.server().createTable("served", "id int GENERATED ALWAYS AS IDENTITY, waiter int");
    WireClient holder = rig.poolSize(1).option(ConfigKey.ADMIN_USERS, "app").client();
    WireClient console = rig.client(Login.of("app", "pgbouncer", "app"));
    holder.query("BEGIN");
    List<WireClient> waiters = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiters.add(rig.client());
    }
    for (int i = 0; i < WAITERS; i++) {
      waiters.get(i).send(query("INSERT INTO served (waiter) VALUES (" + i + ")"));
      int waiting = i + 1;
      Rig.eventually(waiting + " clients wait", () -> waiting(console) == waiting);
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
    List<WireClient> clients = new ArrayList<>();
    List<Future<Integer>> loads = new ArrayList<>();
    AtomicInteger left = new AtomicInteger(QUERIES);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < users.size() * CLIENTS_PER_USER; i++) {
        String user = users.get(i % users.size());
        WireClient client = rig.client(Login.of(user, "app", user));
        clients.add(client);
      }
      for (WireClient client : clients) {
        loads.add(threads.submit(load(client, left)));
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

  private static int waiting(WireClient console) {
    Matcher row = CLIENTS_OF_APP.matcher(console.query("SHOW POOLS"));
    return row.find() ? Integer.parseInt(row.group(1)) : 0;
  }

  /** Sends queries as long as any are left; the number that this client had answered. */
  private static Callable<Integer> load(WireClient client, AtomicInteger left) {
    return () -> {
      int count = 0;
      while (left.getAndDecrement() > 0) {
        assertThat(client.query("SELECT pg_sleep(0.01)")).isEqualTo("T D('',) C[SELECT 1] ZI");
        count++;
      }
      return count;
    };
  }
}
