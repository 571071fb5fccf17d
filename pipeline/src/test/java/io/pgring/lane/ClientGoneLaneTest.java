package io.pgring.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client leaves in every state, and the next one gets a connection without a trace of it. */
@Timeout(60)
class ClientGoneLaneTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whileIdle(boolean politely) throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      leave(client, politely);

      lane.until("no session", () -> lane.sessions().isEmpty());
      assertServesTheNext(lane, lane.server(0));
    }
  }

  @Test
  void beforeItsStartupPacket() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.accept();
      lane.until("a session", () -> lane.sessions().size() == 1);
      client.close();

      lane.until("no session", () -> lane.sessions().isEmpty());
    }
  }

  @Test
  void whileItWaitsForItsWelcome() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      lane.letsServersIn = false;
      Peer client = lane.accept().send(Wire.startup("u", "d"));
      Peer server = lane.server(0);
      lane.until("waits", () -> lane.pool().awaitingWelcome() == 1);
      client.close();
      lane.until("no session", () -> lane.sessions().isEmpty());

      assertThat(lane.pool().awaitingWelcome()).isZero();
      assertThat(lane.pool().sessionCount()).isZero();
      server.send(Wire.welcome(1));
      assertServesTheNext(lane, server);
    }
  }

  @Test
  void whileItWaitsForAConnection() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer third = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, first, server);
      second.send(Wire.query("select second"));
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);
      third.send(Wire.query("select third"));
      lane.until("third waits", () -> lane.pool().waitingCount() == 2);

      second.close();
      lane.until("second left", () -> lane.pool().waitingCount() == 1);
      first.send(Wire.query("commit"));
      lane.expect(server, "Q[commit]");
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));

      lane.expect(server, "Q[select third]");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void inATransaction(boolean politely) throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, client, server);
      leave(client, politely);

      lane.expect(server, "Q[ROLLBACK]");
      assertThat(lane.cancelCount()).isZero();
      server.send(Wire.complete("ROLLBACK"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  @Test
  void withAGoodbyeBehindARequestThatRuns() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("insert"), Wire.query("select"), Wire.terminate());
      lane.expect(server, "Q[insert] Q[select]");
      lane.expectEnd(client);
      assertThat(lane.cancelCount()).isZero();

      server.send(Wire.complete("INSERT 0 1"), Wire.ready('I'));
      server.send(Wire.complete("SELECT 1"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  /** What it sent before its goodbye is done, though its socket is gone when its turn comes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whileItWaitsForAConnectionAndHasSaidGoodbye(boolean politely) throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, first, server);
      second.send(Wire.query("insert"), Wire.query("select"));
      if (politely) {
        second.send(Wire.terminate());
      }
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);
      second.close();
      lane.settle();
      assertThat(lane.sessions()).hasSize(politely ? 2 : 1);
      first.send(Wire.query("commit"));
      lane.expect(server, "Q[commit]");
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));

      if (politely) {
        lane.expect(server, "Q[insert] Q[select]");
        server.send(Wire.complete("INSERT 0 1"), Wire.ready('I'));
        server.send(Wire.complete("SELECT 1"), Wire.ready('I'));
        lane.until("second left", () -> lane.sessions().size() == 1);
      }
      lane.expectNothing(server);
      assertServesTheNext(lane, server);
    }
  }

  @Test
  void withAGoodbyeBehindTheEndOfItsTransaction() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, client, server);
      client.send(Wire.query("insert"), Wire.query("commit"), Wire.terminate());
      lane.expect(server, "Q[insert] Q[commit]");
      client.close();
      lane.settle();
      assertThat(lane.cancelCount()).isZero();

      server.send(Wire.complete("INSERT 0 1"), Wire.ready('T'));
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  @ParameterizedTest
  @CsvSource({"I, Q[DISCARD ALL], session", "T, Q[ROLLBACK], transaction"})
  void aConnectionThatCannotBeCleanedIsClosed(char status, String cleaning, String mode)
      throws IOException {
    try (SteppedLane lane =
        new SteppedLane(c -> c.setForDatabase("d", ConfigKey.POOL_MODE, mode))) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select"));
      lane.expect(server, "Q[select]");
      server.send(Wire.complete("SELECT 1"), Wire.ready(status));
      lane.expect(client, "C[SELECT 1] Z[" + status + "]");
      client.send(Wire.terminate());
      lane.expect(server, cleaning);
      server.send(Wire.error("ERROR", "42501"), Wire.ready('I'));

      lane.expectEnd(server);
      assertServesTheNext(lane, null);
    }
  }

  /** The connection is not handed on before the cancel request can hit nobody else. */
  @Test
  void whileItsQueryRuns() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select slow"));
      lane.expect(server, "Q[select slow]");
      client.close();

      Peer cancel = lane.cancel(0);
      Peer next = lane.client();
      next.send(Wire.query("select next"));
      server.send(Wire.error("ERROR", "57014"), Wire.ready('I'));
      lane.expectNothing(server);
      cancel.close();
      lane.expect(server, "Q[select next]");
      server.send(Wire.complete("NEXT"), Wire.ready('I'));
      lane.expect(next, "C[NEXT] Z[I]");
    }
  }

  @Test
  void whileItsQueryRunsInATransaction() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, client, server);
      client.send(Wire.query("select slow"));
      lane.expect(server, "Q[select slow]");
      client.close();

      lane.cancel(0).close();
      server.send(Wire.error("ERROR", "57014"), Wire.ready('E'));
      lane.expect(server, "Q[ROLLBACK]");
      server.send(Wire.complete("ROLLBACK"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  /** A cancel request that comes late must not hit the query that cleans the connection. */
  @ParameterizedTest
  @CsvSource({"T, Q[ROLLBACK], false", "I, Q[DISCARD ALL], true", "I, Q[DISCARD ALL], false"})
  void whileItsQueryRunsAndTheCancelRequestIsLate(char status, String cleaning, boolean session)
      throws IOException {
    try (SteppedLane lane =
        new SteppedLane(
            c ->
                session
                    ? c.setForDatabase("d", ConfigKey.POOL_MODE, "session")
                    : c.set(ConfigKey.SERVER_RESET_QUERY_ALWAYS, String.valueOf(status == 'I')))) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select slow"));
      lane.expect(server, "Q[select slow]");
      client.close();
      Peer cancel = lane.cancel(0);
      server.send(Wire.complete("SELECT 1"), Wire.ready(status));
      lane.expectNothing(server);

      cancel.close();
      lane.expect(server, cleaning);
      server.send(Wire.complete("CLEAN"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  @Test
  void inTheMiddleOfAUnit() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "select"), Wire.flush());
      lane.expect(server, "P[] H");
      server.send(Wire.plain('1'));
      lane.expect(client, "1");
      client.close();

      lane.expectEnd(server);
      assertServesTheNext(lane, null);
    }
  }

  @Test
  void afterAnErrorAndBeforeItsSync() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "select bad"), Wire.flush());
      lane.expect(server, "P[] H");
      server.send(Wire.error("ERROR", "42601"));
      lane.expect(client, "E[42601]");
      client.close();

      lane.expect(server, "S");
      server.send(Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterAnErrorAndBeforeItsSyncWhileOthersWait(boolean politely) throws IOException {
    try (SteppedLane lane = new SteppedLane(c -> c.set(ConfigKey.CANCEL_WAIT_TIMEOUT_S, "0.2"))) {
      Peer client = lane.client();
      Peer next = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "select bad"), Wire.query("select a"));
      lane.expect(server, "P[] Q[select a]");
      next.send(Wire.query("select next"));
      lane.until("next waits", () -> lane.pool().waitingCount() == 1);
      client.send(Wire.query("select b"));
      leave(client, politely);
      lane.settle();
      if (!politely) {
        lane.cancel(0).close();
      }
      server.send(Wire.error("ERROR", "42601"));

      lane.expect(server, politely ? "Q[select b] S" : "S");
      server.send(Wire.ready('I'));
      lane.expect(server, "Q[select next]");
    }
  }

  @Test
  void whileItSendsCopyData() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("copy t from stdin"));
      lane.expect(server, "Q[copy t from stdin]");
      server.send(Wire.copyInResponse());
      lane.expect(client, "G");
      client.close();

      lane.expect(server, "f");
      server.send(Wire.error("ERROR", "57014"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  /** The server waits for the rest of a message that nobody can complete. */
  @Test
  void inTheMiddleOfAMessage() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      byte[] query = Wire.query("select 'x'" + " ".repeat(200_000));
      client.send(Arrays.copyOf(query, 100_000));
      lane.until("half of it has come", () -> server.receivedBytes() > 50_000);
      client.close();

      lane.expectEnd(server);
      assertServesTheNext(lane, null);
    }
  }

  @Test
  void beforeItHasReadItsAnswer() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select slow"));
      lane.expect(server, "Q[select slow]");
      server.send(Wire.row("x".repeat(100_000)));
      lane.settle();
      client.close();

      lane.cancel(0).close();
      server.send(Wire.row("y"), Wire.error("ERROR", "57014"), Wire.ready('I'));
      assertServesTheNext(lane, server);
    }
  }

  @Test
  void whatItSentLastIsDroppedWithItsSession() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      lane.client();
      Peer server = lane.server(0);
      // A closed socket is still read in the cycle after; the bytes need a moment to be there.
      for (int attempt = 0; attempt < 100 && lane.relay.staleFrames() == 0; attempt++) {
        Peer client = lane.client();
        client.send(Wire.terminate());
        lane.until("its session has ended", () -> lane.sessions().size() == 1);
        client.send(Wire.query("select late"));
        SteppedLane.pause(attempt);
        lane.expectEnd(client);
      }
      assertThat(lane.relay.staleFrames()).isPositive();
      lane.expectNothing(server);
      assertServesTheNext(lane, server);
    }
  }

  @Test
  void aConnectionThatIsNotCleanInTimeIsClosed() throws IOException {
    try (SteppedLane lane = new SteppedLane(c -> c.set(ConfigKey.CANCEL_WAIT_TIMEOUT_S, "0.2"))) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, client, server);
      client.close();
      lane.expect(server, "Q[ROLLBACK]");

      lane.expectEnd(server);
      assertServesTheNext(lane, null);
    }
  }

  private static void leave(Peer client, boolean politely) {
    if (politely) {
      client.send(Wire.terminate());
    } else {
      client.close();
    }
  }

  /**
   * @param server that the next client must get, or null when it must get a new one
   */
  private static void assertServesTheNext(SteppedLane lane, Peer server) throws IOException {
    Peer next = lane.client();
    next.send(Wire.query("select next"));
    Peer expected = server == null ? lane.server(lane.serverCount()) : server;
    lane.expect(expected, "Q[select next]");
    expected.send(Wire.complete("NEXT"), Wire.ready('I'));
    lane.expect(next, "C[NEXT] Z[I]");
  }
}
