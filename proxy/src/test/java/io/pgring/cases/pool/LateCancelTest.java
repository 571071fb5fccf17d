package io.pgring.cases.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;

/**
 * A cancel request that reaches the server only when the query it means has ended. It must not hit
 * the next client on the same server connection.
 */
@Timeout(60)
class LateCancelTest {
  private static final Duration CANCEL_DELAY = Duration.ofMillis(400);

  @ProxyTest(compare = false)
  void hitsNobodyElse(Rig rig) {
    rig.relay().delayCancels(CANCEL_DELAY);
    WireClient cancelled = rig.poolSize(1).client();
    WireClient next = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      cancelled.send(protocol.request("SELECT pg_sleep(0.25), 'cancelled'"));
      Rig.pause(Duration.ofMillis(100));
      next.send(protocol.request("SELECT pg_sleep(0.6), 'next'"));
      CompletableFuture<byte[]> cancel = CompletableFuture.supplyAsync(cancelled::cancel);
      assertThat(cancelled.trace()).matches(".*('cancelled'|57014).* ZI");
      assertThat(next.trace()).isEqualTo(protocol.head() + "D('', 'next') C[SELECT 1] ZI");
      assertThat(cancel.join()).isEmpty();
    }
  }

  /** A key that nobody has, and one whose owner is idle. */
  @ProxyTest(compare = false)
  void withoutATargetIsDropped(Rig rig) {
    WireClient idle = rig.poolSize(1).client();
    WireClient busy = rig.client();
    busy.send(QueryProtocol.SIMPLE.request("SELECT pg_sleep(0.3), 'busy'"));
    assertThat(idle.cancel()).isEmpty();
    byte[] wrong = busy.keyData().clone();
    wrong[wrong.length - 1] ^= 1;
    assertThat(busy.cancel(wrong)).isEmpty();
    assertThat(busy.trace()).isEqualTo("T D('', 'busy') C[SELECT 1] ZI");
    assertThat(idle.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
  }

  @ProxyTest
  void inTimeCancelsTheQuery(Rig rig) {
    WireClient client = rig.poolSize(1).client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      client.send(protocol.request("SELECT pg_sleep(60)"));
      Rig.pause(Duration.ofMillis(100));
      assertThat(client.cancel()).isEmpty();
      assertThat(client.trace())
          .isEqualTo(protocol.head() + "E[ERROR 57014 canceling statement due to user request] ZI");
    }
  }
}
