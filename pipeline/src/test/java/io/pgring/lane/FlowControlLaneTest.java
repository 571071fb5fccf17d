package io.pgring.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.session.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody who is slow costs memory: whoever outruns the other side is not read. */
@Timeout(60)
class FlowControlLaneTest {
  private static final int WINDOW_BYTES = 64 * 1024;
  private static final int MANY_BYTES = 16 << 20;

  @Test
  void aClientThatWaitsIsReadUpToItsWindow() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, first, server);
      Session waiting = lane.sessions().get(1);
      byte[] query = Wire.query("select 'x'" + " ".repeat(1000));
      int queries = 2_000;
      ByteBuffer bytes = ByteBuffer.wrap(repeat(query, queries));

      second.sendSome(bytes);
      lane.settle();
      int parked = waiting.parked().size();
      assertThat(parked).isBetween(WINDOW_BYTES / 2, WINDOW_BYTES + WINDOW_BYTES / 10);
      second.sendSome(bytes);
      lane.settle();
      assertThat(waiting.parked().size()).as("not read any more").isEqualTo(parked);

      first.send(Wire.query("commit"));
      lane.expect(server, "Q[commit]");
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));
      lane.until(
          "everything has come",
          () -> {
            second.sendSome(bytes);
            return server.receivedBytes() == queries * query.length;
          });
      assertThat(server.takeBytes()).isEqualTo(bytes.array());
    }
  }

  @Test
  void aClientIsNotReadWhileTheServerTakesNothing() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("copy t from stdin"));
      lane.expect(server, "Q[copy t from stdin]");
      server.send(Wire.copyInResponse());
      lane.expect(client, "G");
      Session session = lane.sessions().get(0);
      byte[] data = Wire.copyData("x".repeat(5_000));
      ByteBuffer bytes = ByteBuffer.wrap(repeat(data, MANY_BYTES / data.length));
      server.pauseReceiving(true);

      int[] quiet = {0};
      lane.until(
          "nothing more is taken",
          () -> {
            quiet[0] = client.sendSome(bytes) == 0 ? quiet[0] + 1 : 0;
            assertThat(session.server.output().size()).isLessThanOrEqualTo(2 * WINDOW_BYTES);
            return quiet[0] > 30;
          });
      assertThat(bytes.remaining()).isPositive();

      server.pauseReceiving(false);
      lane.until(
          "everything has come",
          () -> {
            client.sendSome(bytes);
            return server.receivedBytes() == bytes.capacity();
          });
      assertThat(server.takeBytes()).isEqualTo(bytes.array());
    }
  }

  @Test
  void aServerIsNotReadWhileTheClientTakesNothing() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select everything"));
      lane.expect(server, "Q[select everything]");
      Session session = lane.sessions().get(0);
      ByteBuffer bytes = ByteBuffer.wrap(rows());
      client.pauseReceiving(true);

      int[] quiet = {0};
      lane.until(
          "nothing more is taken",
          () -> {
            quiet[0] = server.sendSome(bytes) == 0 ? quiet[0] + 1 : 0;
            assertThat(session.output().size()).isLessThanOrEqualTo(4 * WINDOW_BYTES);
            return quiet[0] > 30;
          });
      assertThat(bytes.remaining()).isPositive();

      client.pauseReceiving(false);
      lane.until(
          "everything has come",
          () -> {
            server.sendSome(bytes);
            return client.receivedBytes() == bytes.capacity();
          });
      assertThat(client.takeBytes()).isEqualTo(bytes.array());
    }
  }

  /**
   * Answers that fit into one read each, so that the connection is free again after each of them.
   */
  @Test
  void aClientThatTakesNothingGetsNoFurtherAnswers() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      Session session = lane.sessions().get(0);
      byte[] answer =
          Wire.join(Wire.row("x".repeat(8_000)), Wire.complete("SELECT 1"), Wire.ready('I'));
      client.pauseReceiving(true);

      int answers = 0;
      while (answers < 200 && answer(lane, client, server, answer)) {
        answers++;
        assertThat(session.output().size()).isLessThanOrEqualTo(4 * WINDOW_BYTES);
      }
      assertThat(answers).isLessThan(200);

      client.pauseReceiving(false);
      int owed = answers;
      lane.until("all answers have come", () -> client.receivedBytes() >= owed * answer.length);
      assertThat(client.isEnded()).isFalse();
    }
  }

  /** False when the request does not come or its answer is not read. */
  private static boolean answer(SteppedLane lane, Peer client, Peer server, byte[] answer) {
    client.send(Wire.query("select x"));
    for (int i = 0; i < 100 && server.receivedBytes() == 0; i++) {
      SteppedLane.pause(1);
      lane.step();
    }
    if (server.take().isEmpty()) {
      return false;
    }
    server.send(answer);
    for (int i = 0; i < 100 && lane.sessions().get(0).server != null; i++) {
      SteppedLane.pause(1);
      lane.step();
    }
    return lane.sessions().get(0).server == null;
  }

  /** Far more messages without a Sync than a ledger has places. */
  @Test
  void aUnitMayBeLongerThanTheLedger() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      int pairs = 50_000;
      byte[] pair = Wire.join(Wire.bind(""), Wire.execute());
      ByteBuffer bytes = ByteBuffer.wrap(repeat(pair, pairs));
      client.send(Wire.parse("", "select x"));
      lane.expect(server, "P[]");
      server.send(Wire.plain('1'));
      lane.expect(client, "1");

      int[] received = {0};
      int[] quiet = {0};
      lane.until(
          "no more is taken",
          () -> {
            int sent = client.sendSome(bytes);
            int pending = server.receivedBytes();
            quiet[0] = sent == 0 && pending == received[0] ? quiet[0] + 1 : 0;
            received[0] = pending;
            return quiet[0] > 30;
          });
      assertThat(received[0]).isLessThan(pairs * pair.length);
      int answered = received[0] / pair.length;
      ByteBuffer answers =
          ByteBuffer.wrap(repeat(Wire.join(Wire.plain('2'), Wire.complete("X")), answered));
      lane.until(
          "the rest has come",
          () -> {
            server.sendSome(answers);
            client.sendSome(bytes);
            return server.receivedBytes() == pairs * pair.length;
          });
    }
  }

  /** Rows of all sizes, some of them larger than any buffer on the way. */
  private static byte[] rows() {
    Random random = new Random(3);
    ByteBuffer rows = ByteBuffer.allocate(MANY_BYTES + (1 << 21));
    while (rows.position() < MANY_BYTES) {
      byte[] body = new byte[random.nextInt(random.nextInt(50) == 0 ? 1 << 20 : 2_000)];
      random.nextBytes(body);
      rows.put(Wire.message('D', body));
    }
    byte[] bytes = new byte[rows.position()];
    rows.flip().get(bytes);
    return bytes;
  }

  private static byte[] repeat(byte[] message, int times) {
    ByteBuffer all = ByteBuffer.allocate(message.length * times);
    for (int i = 0; i < times; i++) {
      all.put(message);
    }
    return all.array();
  }
}
