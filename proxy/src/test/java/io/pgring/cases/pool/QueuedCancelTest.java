package io.pgring.cases.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/** A cancel request for a query that still waits for a server connection. */
@Timeout(30)
class QueuedCancelTest {
  @ProxyTest(direct = false, compare = false)
  void takesTheQueryOutOfTheQueue(Rig rig) {
    WireClient holder = rig.poolSize(1).client();
    WireClient waiter = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      rig.server().createTable("queued", "i int");
      holder.query("BEGIN");
      holder.query("INSERT INTO queued VALUES (1)");
      waiter.send(protocol.request("INSERT INTO queued VALUES (2)"));
      assertThat(waiter.silentFor(Duration.ofMillis(100))).isTrue();
      assertThat(waiter.cancel()).isEmpty();
      assertThat(waiter.trace()).matches("E\\[ERROR 57014 .*] ZI");
      assertThat(holder.query("COMMIT")).isEqualTo("C[COMMIT] ZI");
      assertThat(waiter.scalar("SELECT array_agg(i) FROM queued")).isEqualTo("{1}");
    }
  }
}
