package io.pgring.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server connection ends in every state. */
@Timeout(60)
class ServerGoneLaneTest {
  @Test
  void whileIdle() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      lane.until("idle", () -> lane.pool().idleCount() == 1);
      server.send(Wire.error("FATAL", "57P01")).close();
      lane.until("it is forgotten", () -> lane.pool().serverCount() == 0);

      lane.expectNothing(client);
      assertServes(lane, client, 1);
    }
  }

  @Test
  void whileItsQueryRuns() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      server.close();

      lane.expect(client, "E[08006] Z[I]");
      assertServes(lane, client, 1);
    }
  }

  @Test
  void whileSeveralRequestsAreOwed() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select a"), Wire.query("select b"));
      client.send(Wire.parse("", "select c"), Wire.bind(""), Wire.execute(), Wire.sync());
      client.send(Wire.parse("", "select d"), Wire.flush());
      lane.expect(server, "Q[select a] Q[select b] P[] B[] E S P[] H");
      server.send(Wire.complete("A"), Wire.ready('I')).close();

      lane.expect(client, "C[A] Z[I] E[08006] Z[I] E[08006] Z[I] E[08006]");
      client.send(Wire.bind(""), Wire.execute(), Wire.sync());
      lane.expect(client, "Z[I]");
      assertServes(lane, client, 1);
    }
  }

  @Test
  void inATransaction() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, client, server);
      server.close();

      lane.expectEnd(client);
      assertThat(client.take()).isEqualTo("E[08006]");
    }
  }

  @Test
  void withAWordOfItsOwn() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      CheckoutLaneTest.begin(lane, client, server);
      client.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      server.send(Wire.error("FATAL", "57P01")).close();

      lane.expectEnd(client);
      assertThat(client.take()).isEqualTo("E[57P01]");
    }
  }

  @Test
  void inTheMiddleOfARow() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      byte[] row = Wire.row("x".repeat(100_000));
      server.send(Arrays.copyOf(row, 60_000)).close();

      lane.expectEnd(client);
      assertThat(client.take()).as("half a row and no error behind it").isEmpty();
    }
  }

  @Test
  void withNonsense() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      server.send(new byte[] {'D', -1, -1, -1, -1, 0});

      lane.expect(client, "E[08006] Z[I]");
      lane.expectEnd(server);
    }
  }

  @Test
  void whileOthersWait() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      first.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      second.send(Wire.query("select b"));
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);
      server.close();

      lane.expect(first, "E[08006] Z[I]");
      lane.expect(lane.server(1), "Q[select b]");
    }
  }

  @Test
  void whileItsClientIsGoneToo() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      client.close();
      server.close();
      lane.until(
          "both are forgotten", () -> lane.sessions().isEmpty() && lane.pool().serverCount() == 0);

      assertServes(lane, lane.client(), 1);
    }
  }

  @Test
  void whileItLogsIn() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      lane.letsServersIn = false;
      Peer client = lane.accept().send(Wire.startup("u", "d"));
      lane.server(0).close();
      lane.letsServersIn = true;

      lane.expect(client, "R S K Z[I]");
      assertServes(lane, client, 1);
    }
  }

  @Test
  void byRefusingTheLogin() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      lane.letsServersIn = false;
      Peer client = lane.accept().send(Wire.startup("u", "d"));
      lane.server(0).send(Wire.error("FATAL", "3D000")).close();

      lane.expectEnd(client);
      assertThat(client.take()).isEqualTo("E[3D000]");
    }
  }

  @Test
  void forGood() throws IOException {
    try (SteppedLane lane = new SteppedLane(c -> c.set(ConfigKey.QUERY_WAIT_TIMEOUT_S, "0.5"))) {
      Peer client = lane.client();
      lane.server(0);
      lane.stopServer();
      lane.until("it is forgotten", () -> lane.pool().serverCount() == 0);

      client.send(Wire.query("select a"));
      lane.expect(client, "E[57P03] Z[I]");
    }
  }

  private static void assertServes(SteppedLane lane, Peer client, int server) {
    client.send(Wire.query("select again"));
    lane.expect(lane.server(server), "Q[select again]");
    lane.server(server).send(Wire.complete("AGAIN"), Wire.ready('I'));
    lane.expect(client, "C[AGAIN] Z[I]");
  }

  /** The end of an idle connection and the next request are found by one and the same select. */
  @Test
  void inTheMomentInWhichItIsWanted() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      lane.until("idle", () -> lane.pool().idleCount() == 1);
      server.close();
      client.send(Wire.query("select again"));
      SteppedLane.pause(50);

      lane.expect(lane.server(1), "Q[select again]");
      lane.server(1).send(Wire.complete("AGAIN"), Wire.ready('I'));
      lane.expect(client, "C[AGAIN] Z[I]");
    }
  }
}
