package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Clients that wait for a server connection are served in their order, and none is left out. */
@Timeout(60)
class WaitQueueTest {
  private static final int WAITERS = 10;

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
}
