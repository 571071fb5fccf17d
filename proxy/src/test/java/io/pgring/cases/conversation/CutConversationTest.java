package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.TcpRelay;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.Trace;
import io.pgring.testkit.wire.WireClient;
import org.junit.jupiter.api.Timeout;

/** The same conversation however TCP cuts it, on either side of the proxy. */
@Timeout(60)
class CutConversationTest {
  /** Covers the startup message and the messages of a SCRAM exchange. */
  private static final int LOGIN_BYTES = 110;

  private static final int LONG_RUNS = 5;

  @ProxyTest(compare = false)
  void loginCutByTheClient(Rig rig) {
    for (int length = 1; length <= LOGIN_BYTES; length++) {
      try (WireClient client = WireClient.connect(rig.address())) {
        client.cutSendsAt(length);
        client.login(Login.APP);
        assertThat(Trace.show(client.loginReplies())).as("cut at %d", length).endsWith("K ZI");
      }
    }
  }

  @ProxyTest
  void requestsCutByTheClient(Rig rig) {
    WireClient client = clientWithTable(rig);
    String uncut = Conversation.run(client);
    for (int length = 1; length < Conversation.longestRequest(); length++) {
      client.cutSendsAt(length);
      assertThat(Conversation.run(client)).as("cut at %d", length).isEqualTo(uncut);
    }
  }

  @ProxyTest
  void repliesCutOnceByTheServer(Rig rig) {
    TcpRelay relay = rig.relay();
    WireClient client = clientWithTable(rig);
    String uncut = Conversation.run(client);
    for (int position = 1; position < 150; position++) {
      relay.cutReplies(TcpRelay.Cuts.at(position));
      assertThat(Conversation.run(client)).as("cut at %d", position).isEqualTo(uncut);
    }
  }

  @ProxyTest
  void serverSendsByteAfterByte(Rig rig) {
    rig.relay().cutReplies(TcpRelay.Cuts.EVERY_BYTE);
    WireClient client = clientWithTable(rig);
    assertThat(Conversation.run(client)).isEqualTo(Conversation.run(client));
  }

  @ProxyTest
  void longRepliesCutAtSeededPoints(Rig rig) {
    TcpRelay relay = rig.relay();
    WireClient client = rig.client();
    for (int seed = 0; seed < LONG_RUNS; seed++) {
      relay.cutReplies(TcpRelay.Cuts.seeded(seed, 4000));
      client.send(
          query("SELECT i, repeat(chr(65 + i % 26), i * 7 % 900) FROM generate_series(1, 1000) i"),
          query("SELECT repeat('long', 50000)"));
      assertThat(client.trace("Z", 2)).endsWith("C[SELECT 1] ZI");
    }
  }

  private static WireClient clientWithTable(Rig rig) {
    rig.server().createTable("cut", "i int PRIMARY KEY, t text");
    return rig.client();
  }
}
