package io.pgring.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a server connection stays with its session. The pool has one, unless said otherwise. */
@Timeout(60)
class PinLaneTest {
  private static final byte[] NOTIFICATION =
      Wire.message('A', "\0\0\0\7a\0b\0".getBytes(StandardCharsets.ISO_8859_1));

  private static void listen(SteppedLane lane, Peer client, Peer server) {
    client.send(Wire.query("listen a"));
    lane.expect(server, "Q[listen a]");
    server.send(Wire.complete("LISTEN"), Wire.ready('I'));
    lane.expect(client, "C[LISTEN] Z[I]");
  }

  @Test
  void aNotificationReachesAnIdleSession() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      listen(lane, client, server);
      lane.settle();
      server.send(NOTIFICATION);
      lane.expect(client, "A");
    }
  }

  @Test
  void othersWaitUntilItIsUndone() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer other = lane.client();
      Peer server = lane.server(0);
      listen(lane, client, server);
      other.send(Wire.query("select 1"));
      lane.until("it waits", () -> lane.pool().waitingCount() == 1);

      // A pipeline of a pinned session has no turn to wait for.
      client.send(Wire.query("select a"), Wire.query("select b"));
      lane.expect(server, "Q[select a] Q[select b]");
      server.send(Wire.complete("A"), Wire.ready('I'), Wire.complete("B"), Wire.ready('I'));
      lane.expect(client, "C[A] Z[I] C[B] Z[I]");
      client.send(Wire.query("unlisten *"));
      lane.expect(server, "Q[unlisten *]");
      server.send(Wire.complete("UNLISTEN"), Wire.ready('I'));

      lane.expect(server, "Q[select 1]");
      assertThat(lane.pool().shared().pinned()).isZero();
    }
  }

  /** The turn was being waited for when the answer came that pins. */
  @Test
  void aPipelineThatPinsGoesOn() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer other = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      client.send(Wire.query("listen a"));
      lane.expect(server, "Q[listen a]");
      other.send(Wire.query("select 1"));
      lane.until("it waits", () -> lane.pool().waitingCount() == 1);
      client.send(Wire.query("select b"));
      lane.expectNothing(server);
      server.send(Wire.complete("A"), Wire.ready('I'), Wire.complete("LISTEN"), Wire.ready('I'));
      lane.expect(server, "Q[select b]");
    }
  }

  @Test
  void theConnectionIsCleanedBeforeItIsUsedAgain() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer other = lane.client();
      Peer server = lane.server(0);
      listen(lane, client, server);
      other.send(Wire.query("select 1"));
      client.send(Wire.terminate());
      lane.expect(server, "Q[DISCARD ALL]");
      server.send(Wire.complete("DISCARD ALL"), Wire.ready('I'));
      lane.expect(server, "Q[select 1]");
    }
  }

  /** The client left before the answer told whether there is something to clean. */
  @Test
  void whatWasUnderWayIsCleanedToo() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("listen a"), Wire.terminate());
      lane.expect(server, "Q[listen a]");
      server.send(Wire.complete("LISTEN"), Wire.ready('I'));
      lane.expect(server, "Q[DISCARD ALL]");
    }
  }

  @Test
  void aConnectionThatCannotBeCleanedIsClosed() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      listen(lane, client, server);
      client.send(Wire.terminate());
      lane.expect(server, "Q[DISCARD ALL]");
      server.send(Wire.error("ERROR", "57014"), Wire.ready('I'));
      lane.expectEnd(server);
    }
  }

  @Test
  void aStatementThatFailsPinsNobody() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer other = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "listen a"), Wire.bind(""), Wire.execute(), Wire.sync());
      lane.expect(server, "P[] B[] E S");
      server.send(Wire.error("ERROR", "42501"), Wire.ready('I'));
      lane.expect(client, "E[42501] Z[I]");
      other.send(Wire.query("select 1"));
      lane.expect(server, "Q[select 1]");
      assertThat(lane.pool().shared().pinned()).isZero();
    }
  }

  /** A text that nobody reads is judged by its command tag. */
  @Test
  void anUnreadTextPinsByItsTag() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      for (String tag : new String[] {"INSERT 0 1", "SELECT 1", "CREATE TABLE"}) {
        client.send(Wire.query("nobody reads this"));
        lane.expect(server, "Q[nobody reads this]");
        server.send(Wire.complete(tag), Wire.ready('I'));
        lane.expect(client, "C[" + tag + "] Z[I]");
        lane.settle();
        assertThat(lane.pool().idleCount()).as(tag).isEqualTo(tag.startsWith("C") ? 0 : 1);
      }
    }
  }

  @Test
  void aSessionDoesNotGoOnWithoutWhatItHadLeft() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      listen(lane, client, server);
      client.send(Wire.query("select 1"));
      lane.expect(server, "Q[select 1]");
      server.close();
      lane.expect(client, "E[08006]");
      lane.expectEnd(client);
      assertThat(lane.pool().shared().pinned()).isZero();
    }
  }

  @Test
  void aRefusedQueryIsNotSent() throws IOException {
    try (SteppedLane lane =
        new SteppedLane(c -> c.setForDatabase("d", ConfigKey.ON_SESSION_FEATURE, "reject"))) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("listen a"));
      lane.expect(server, "B[pgring_unknown] S");
      server.send(Wire.error("ERROR", "26000"), Wire.ready('E'));
      lane.expect(client, "E[0A000] Z[E]");
    }
  }

  @Test
  void inSessionPoolingNothingIsCounted() throws IOException {
    try (SteppedLane lane =
        new SteppedLane(c -> c.setForDatabase("d", ConfigKey.POOL_MODE, "session"))) {
      Peer client = lane.client();
      listen(lane, client, lane.server(0));
      assertThat(lane.pool().shared().pinned()).isZero();
    }
  }
}
