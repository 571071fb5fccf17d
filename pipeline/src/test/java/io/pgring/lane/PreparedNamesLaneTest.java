package io.pgring.lane;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which prepared statements a client has when the server skips what changes them. */
@Timeout(60)
class PreparedNamesLaneTest {
  @Test
  void aSkippedCloseIsUndone() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      prepare(lane, client, server);
      client.send(Wire.parse("", "bad"), Wire.closeStatement("s"), Wire.sync());
      lane.expect(server, "P[] S");
      server.send(Wire.error("ERROR", "42601"), Wire.ready('I'));
      lane.expect(client, "E[42601] Z[I]");

      client.send(Wire.bind("s"), Wire.execute(), Wire.sync());
      lane.expect(server, "B[pgring_1] E S");
    }
  }

  /** Whether the name is there is not known before the first unit is answered. */
  @Test
  void aLaterUnitWaitsForTheFateOfAClose() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      prepare(lane, client, server);
      client.send(Wire.parse("", "bad"), Wire.closeStatement("s"), Wire.sync());
      client.send(Wire.bind("s"), Wire.execute(), Wire.sync());
      lane.expect(server, "P[] S");
      lane.expectNothing(server);
      server.send(Wire.error("ERROR", "42601"), Wire.ready('I'));

      lane.expect(server, "B[pgring_1] E S");
      server.send(Wire.plain('2'), Wire.complete("SELECT 1"), Wire.ready('I'));
      lane.expect(client, "E[42601] Z[I] 2 C[SELECT 1] Z[I]");
    }
  }

  @Test
  void aLaterUnitWaitsForTheFateOfAParse() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "bad"), Wire.parse("s", "select"), Wire.sync());
      client.send(Wire.parse("s", "select"), Wire.sync());
      lane.expect(server, "P[] C[pgring_1] P[pgring_1] S");
      lane.expectNothing(server);
      server.send(Wire.error("ERROR", "42601"), Wire.ready('I'));

      // Skipped, so forgotten: the same text is another statement to the server.
      lane.expect(server, "C[pgring_2] P[pgring_2] S");
      server.send(Wire.plain('3'), Wire.plain('1'), Wire.ready('I'));
      lane.expect(client, "E[42601] Z[I] 1 Z[I]");
    }
  }

  @Test
  void whatTheLostServerHasNotConfirmedIsForgotten() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("s", "select"), Wire.sync());
      lane.expect(server, "C[pgring_1] P[pgring_1] S");
      server.close();
      lane.expect(client, "E[08006] Z[I]");

      client.send(Wire.parse("s", "select"), Wire.sync());
      Peer next = lane.server(1);
      lane.expect(next, "C[pgring_2] P[pgring_2] S");
      next.send(Wire.plain('3'), Wire.plain('1'), Wire.ready('I'));
      lane.expect(client, "1 Z[I]");
    }
  }

  private static void prepare(SteppedLane lane, Peer client, Peer server) {
    client.send(Wire.parse("s", "select"), Wire.sync());
    lane.expect(server, "C[pgring_1] P[pgring_1] S");
    server.send(Wire.plain('3'), Wire.plain('1'), Wire.ready('I'));
    lane.expect(client, "1 Z[I]");
  }
}
