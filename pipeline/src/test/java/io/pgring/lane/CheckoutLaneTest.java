package io.pgring.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a server connection, and when. The pool has one, unless said otherwise. */
@Timeout(60)
class CheckoutLaneTest {
  @Test
  void sessionsShareAConnectionOneAfterTheOther() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);

      for (Peer client : new Peer[] {first, second, first}) {
        client.send(Wire.query("select 1"));
        lane.expect(server, "Q[select 1]");
        server.send(Wire.row("1"), Wire.complete("SELECT 1"), Wire.ready('I'));
        lane.expect(client, "D[7] C[SELECT 1] Z[I]");
      }
      assertThat(lane.serverCount()).isEqualTo(1);
    }
  }

  @Test
  void aTransactionKeepsItsConnectionAndOthersWaitInOrder() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer third = lane.client();
      Peer server = lane.server(0);
      begin(lane, first, server);

      second.send(Wire.query("select two"));
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);
      third.send(Wire.query("select three"));
      lane.until("third waits", () -> lane.pool().waitingCount() == 2);
      lane.expectNothing(server);
      first.send(Wire.query("commit"));
      lane.expect(server, "Q[commit]");
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));

      lane.expect(server, "Q[select two]");
      lane.expect(first, "C[COMMIT] Z[I]");
      first.send(Wire.query("select four"));
      server.send(Wire.complete("TWO"), Wire.ready('I'));
      lane.expect(server, "Q[select three]");
      server.send(Wire.complete("THREE"), Wire.ready('I'));
      lane.expect(server, "Q[select four]");
      lane.expect(second, "C[TWO] Z[I]");
      lane.expect(third, "C[THREE] Z[I]");
    }
  }

  @Test
  void whatWaitsKeepsItsOrder() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      begin(lane, first, server);

      second.send(Wire.parse("", "select"), Wire.bind(""), Wire.execute(), Wire.sync());
      second.send(Wire.query("select a"), Wire.query("select b"));
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);
      second.send(Wire.query("select c"));
      lane.settle();
      first.send(Wire.query("commit"));
      lane.expect(server, "Q[commit]");
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));

      lane.expect(server, "P[] B[] E S Q[select a] Q[select b] Q[select c]");
    }
  }

  @Test
  void aPipelineDoesNotKeepTheConnectionFromOthers() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      first.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      second.send(Wire.query("select x"));
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);

      first.send(Wire.query("select b"), Wire.query("select c"));
      lane.expectNothing(server);
      server.send(Wire.complete("A"), Wire.ready('I'));
      lane.expect(server, "Q[select x]");
      server.send(Wire.complete("X"), Wire.ready('I'));
      lane.expect(server, "Q[select b] Q[select c]");
      server.send(Wire.complete("B"), Wire.ready('I'), Wire.complete("C"), Wire.ready('I'));

      lane.expect(first, "C[A] Z[I] C[B] Z[I] C[C] Z[I]");
      lane.expect(second, "C[X] Z[I]");
    }
  }

  /** Behind an error PostgreSQL answers nothing before the Sync, which the client must get to. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClientInWhoseUnitAnErrorCameGoesOnToItsSync(boolean errorFirst) throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      first.send(Wire.parse("", "select bad"), Wire.query("select a"));
      lane.expect(server, "P[] Q[select a]");
      second.send(Wire.query("select x"));
      lane.until("second waits", () -> lane.pool().waitingCount() == 1);
      if (errorFirst) {
        server.send(Wire.error("ERROR", "42601"));
        lane.expect(first, "E[42601]");
        first.send(Wire.query("select b"), Wire.query("select c"), Wire.sync());
      } else {
        first.send(Wire.query("select b"), Wire.query("select c"), Wire.sync());
        lane.expectNothing(server);
        server.send(Wire.error("ERROR", "42601"));
        lane.expect(first, "E[42601]");
      }
      lane.expect(server, "Q[select b] Q[select c] S");
      server.send(Wire.ready('I'));

      lane.expect(first, "Z[I]");
      lane.expect(server, "Q[select x]");
    }
  }

  @Test
  void aUnitThatHasBegunIsNotSplit() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      first.send(Wire.parse("", "select"), Wire.flush());
      lane.expect(server, "P[] H");
      server.send(Wire.plain('1'));
      lane.expect(first, "1");
      second.send(Wire.query("select x"));
      lane.expectNothing(server);

      first.send(Wire.bind(""), Wire.execute(), Wire.sync());
      lane.expect(server, "B[] E S");
      server.send(Wire.plain('2'), Wire.complete("SELECT 0"), Wire.ready('I'));

      lane.expect(first, "2 C[SELECT 0] Z[I]");
      lane.expect(server, "Q[select x]");
    }
  }

  @Test
  void makesAsManyConnectionsAsWaitAndThePoolAllows() throws IOException {
    try (SteppedLane lane = new SteppedLane(c -> c.setForDatabase("d", ConfigKey.POOL_SIZE, "3"))) {
      Peer[] clients = {lane.client(), lane.client(), lane.client(), lane.client()};
      for (Peer client : clients) {
        client.send(Wire.query("select q"));
      }
      for (int i = 0; i < 3; i++) {
        lane.expect(lane.server(i), "Q[select q]");
      }
      lane.settle();

      assertThat(lane.serverCount()).isEqualTo(3);
      assertThat(lane.pool().waitingCount()).isEqualTo(1);
      lane.server(1).send(Wire.complete("Q"), Wire.ready('I'));
      lane.expect(lane.server(1), "Q[select q]");
    }
  }

  @Test
  void aWaitThatTakesTooLongFailsThatRequestAlone() throws IOException {
    try (SteppedLane lane = new SteppedLane(c -> c.set(ConfigKey.QUERY_WAIT_TIMEOUT_S, "0.2"))) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer third = lane.client();
      Peer server = lane.server(0);
      begin(lane, first, server);

      second.send(Wire.query("select a"));
      third.send(Wire.parse("", "select"), Wire.bind(""), Wire.execute(), Wire.sync());
      lane.expect(second, "E[53300] Z[I]");
      lane.expect(third, "E[53300] Z[I]");
      assertThat(lane.pool().waitingCount()).isZero();

      first.send(Wire.query("commit"));
      lane.expect(server, "Q[commit]");
      server.send(Wire.complete("COMMIT"), Wire.ready('I'));
      lane.expect(first, "C[COMMIT] Z[I]");
      second.send(Wire.query("select b"));
      lane.expect(server, "Q[select b]");
    }
  }

  @Test
  void aTransactionInStatementModeIsRefused() throws IOException {
    try (SteppedLane lane =
        new SteppedLane(c -> c.setForDatabase("d", ConfigKey.POOL_MODE, "statement"))) {
      Peer client = lane.client();
      Peer server = lane.server(0);
      client.send(Wire.query("begin"));
      lane.expect(server, "Q[begin]");
      server.send(Wire.complete("BEGIN"), Wire.ready('T'));

      lane.expectEnd(client);
      assertThat(client.take()).isEqualTo("C[BEGIN] Z[T] E[0A000]");
      lane.expect(server, "Q[ROLLBACK]");
    }
  }

  @Test
  void aSessionOfSessionModeKeepsItsConnection() throws IOException {
    try (SteppedLane lane =
        new SteppedLane(c -> c.setForDatabase("d", ConfigKey.POOL_MODE, "session"))) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      first.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      server.send(Wire.complete("A"), Wire.ready('I'));
      lane.expect(first, "C[A] Z[I]");
      second.send(Wire.query("select b"));
      lane.expectNothing(server);

      first.send(Wire.terminate());
      lane.expect(server, "Q[DISCARD ALL]");
      server.send(Wire.complete("DISCARD ALL"), Wire.ready('I'));
      lane.expect(server, "Q[select b]");
      lane.expectEnd(first);
    }
  }

  @Test
  void aLifetimeOfZeroIsOneUse() throws IOException {
    try (SteppedLane lane = new SteppedLane(c -> c.set(ConfigKey.SERVER_LIFETIME_S, "0"))) {
      Peer client = lane.client();
      for (int use = 0; use < 3; use++) {
        client.send(Wire.query("select a"));
        lane.expect(lane.server(use), "Q[select a]");
        lane.server(use).send(Wire.complete("A"), Wire.ready('I'));
        lane.expect(client, "C[A] Z[I]");
        lane.expectEnd(lane.server(use));
      }
    }
  }

  /** A Flush behind the last answer is still to be sent when the connection could be given back. */
  @Test
  void aLateFlushDoesNotKeepTheConnection() throws IOException {
    try (SteppedLane lane = new SteppedLane()) {
      Peer first = lane.client();
      Peer second = lane.client();
      Peer server = lane.server(0);
      first.send(Wire.query("select a"));
      lane.expect(server, "Q[select a]");
      server.send(Wire.complete("A"), Wire.ready('I'));
      first.send(Wire.flush());
      SteppedLane.pause(50);

      lane.expect(first, "C[A] Z[I]");
      second.send(Wire.query("select b"));
      lane.expect(server, "H Q[select b]");
    }
  }

  static void begin(SteppedLane lane, Peer client, Peer server) {
    client.send(Wire.query("begin"));
    lane.expect(server, "Q[begin]");
    server.send(Wire.complete("BEGIN"), Wire.ready('T'));
    lane.expect(client, "C[BEGIN] Z[T]");
  }
}
