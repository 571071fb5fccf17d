package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.describeStatement;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;

/**
 * Requests sent before the earlier ones are answered, while another client wants the only server
 * connection whenever it is free.
 */
@Timeout(30)
class PipelinedRequestsTest {
  private static final int INT4 = 23;

  @ProxyTest
  void aQueryAndAnExtendedRequestInOnePacket(Rig rig) throws Exception {
    try (Competitor competitor = new Competitor(rig.poolSize(1))) {
      WireClient client = rig.client();
      client.send(
          query("SET IntervalStyle = postgres"),
          parse("", "SELECT $1::int", INT4),
          describeStatement(""),
          bind("", "", 5),
          execute(),
          sync());
      assertThat(client.trace("Z", 2)).isEqualTo("C[SET] ZI 1 t T 2 D('5',) C[SELECT 1] ZI");
      competitor.stop();
    }
  }

  @ProxyTest
  void queriesInOnePacketAreAnsweredInOrder(Rig rig) throws Exception {
    try (Competitor competitor = new Competitor(rig.poolSize(1))) {
      WireClient client = rig.client();
      client.send(
          query("SELECT 1"), query("SELECT 2"), query(""), query(";"), query("SELECT 3; SELECT 4"));
      assertThat(client.trace("Z", 5))
          .isEqualTo(
              "T D('1',) C[SELECT 1] ZI T D('2',) C[SELECT 1] ZI I ZI I ZI"
                  + " T D('3',) C[SELECT 1] T D('4',) C[SELECT 1] ZI");
      competitor.stop();
    }
  }

  @ProxyTest
  void twoRequestsCutAnywhere(Rig rig) throws Exception {
    byte[] requests = concat(query("SELECT 5"), extended("SELECT 6"), sync());
    try (Competitor competitor = new Competitor(rig.poolSize(1))) {
      WireClient client = rig.client();
      for (int length = 1; length < requests.length; length++) {
        client.cutSendsAt(length);
        client.send(requests);
        assertThat(client.trace("Z", 2))
            .as("cut behind %d bytes", length)
            .isEqualTo("T D('5',) C[SELECT 1] ZI 1 2 D('6',) C[SELECT 1] ZI");
      }
      competitor.stop();
    }
  }

  /** A client on a thread of its own that asks for the server connection again and again. */
  private static final class Competitor implements AutoCloseable {
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final CompletableFuture<Void> work;

    Competitor(Rig rig) {
      WireClient client = rig.bystander();
      work =
          CompletableFuture.runAsync(
              () -> {
                while (running.get()) {
                  assertThat(client.query("SELECT 'competitor'"))
                      .isEqualTo("T D('competitor',) C[SELECT 1] ZI");
                }
              });
    }

    /** Ends it and fails if it was ever answered wrongly. */
    void stop() throws InterruptedException, ExecutionException {
      running.set(false);
      work.get();
    }

    @Override
    public void close() {
      running.set(false);
    }
  }
}
