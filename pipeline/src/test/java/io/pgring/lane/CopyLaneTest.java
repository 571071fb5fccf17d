package io.pgring.lane;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** COPY FROM STDIN: what is held, what is dropped, and when. */
@Timeout(60)
class CopyLaneTest {
  @Test
  void nothingIsSentBehindACopyBeforeItsAnswer() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("copy t from stdin"), Wire.copyData("a\n"), Wire.copyDone());
      client.send(Wire.query("select next"));
      lane.expect(server, "Q[copy t from stdin]");
      lane.expectNothing(server);

      server.send(Wire.copyInResponse());
      lane.expect(server, "d[2] c");
      lane.expectNothing(server);
      server.send(Wire.complete("COPY 1"), Wire.ready('I'));

      lane.expect(server, "Q[select next]");
      lane.expect(client, "G C[COPY 1] Z[I]");
    }
  }

  @Test
  void aCopyThatIsRefusedLeavesItsDataBehind() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("copy nosuch from stdin"), Wire.copyData("a\n"), Wire.copyDone());
      client.send(Wire.query("select next"));
      lane.expect(server, "Q[copy nosuch from stdin]");
      server.send(Wire.error("ERROR", "42P01"), Wire.ready('I'));

      lane.expect(server, "Q[select next]");
      lane.expect(client, "E[42P01] Z[I]");
    }
  }

  @Test
  void syncIsDroppedWhileTheServerTakesData() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "copy t from stdin"), Wire.bind(""), Wire.execute(), Wire.sync());
      lane.expectStart(server, "P[] B[] E");
      lane.expectNothing(server);
      server.send(Wire.plain('1'), Wire.plain('2'), Wire.copyInResponse());
      lane.expect(client, "1 2 G");

      client.send(Wire.copyData("a\n"), Wire.sync(), Wire.flush(), Wire.copyDone(), Wire.sync());
      lane.expect(server, "d[2] c S");
      server.send(Wire.complete("COPY 1"), Wire.ready('I'));
      lane.expect(client, "C[COPY 1] Z[I]");
    }
  }

  @Test
  void dataIsDroppedOnceTheCopyHasFailed() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("copy t from stdin"));
      lane.expect(server, "Q[copy t from stdin]");
      server.send(Wire.copyInResponse());
      lane.expect(client, "G");
      client.send(Wire.copyData("bad\n"));
      lane.expect(server, "d[4]");
      server.send(Wire.error("ERROR", "22P02"), Wire.ready('I'));
      lane.expect(client, "E[22P02] Z[I]");

      client.send(Wire.copyData("more\n"), Wire.copyDone(), Wire.query("select next"));

      lane.expect(server, "Q[select next]");
    }
  }

  /**
   * PostgreSQL keeps the answer to what is no COPY after all until it gets a Sync or Flush, and the
   * Sync waits for the answer.
   */
  @Test
  void whatMightBeACopyIsAnsweredBeforeItsSync() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.parse("", "who knows"), Wire.bind(""), Wire.execute(), Wire.sync());

      lane.expect(server, "P[] B[] E H");
      server.send(Wire.plain('1'), Wire.plain('2'), Wire.complete("WHO"));
      lane.expect(server, "S");
      server.send(Wire.ready('I'));
      lane.expect(client, "1 2 C[WHO] Z[I]");
    }
  }
}
