package io.pgring.testkit.wire;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.describePortal;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.PostgresServer;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WireClientTest {
  private final PostgresServer server = PostgresServer.shared();

  @Test
  void writesRowsErrorsAndNoticesInTheShortNotation() {
    try (WireClient client = WireClient.connect(server.address(), Login.APP)) {
      assertThat(client.query("SELECT 1, NULL, 'it''s', 'a\tb'"))
          .isEqualTo("T D('1', None, \"it's\", 'a\\tb') C[SELECT 1] ZI");
      assertThat(client.query("SELECT")).isEqualTo("T D() C[SELECT 1] ZI");
      assertThat(client.query("")).isEqualTo("I ZI");
      assertThat(client.query("ROLLBACK"))
          .isEqualTo("N[WARNING 25P01 there is no transaction in progress] C[ROLLBACK] ZI");
      assertThat(client.query("SELEC"))
          .isEqualTo("E[ERROR 42601 syntax error at or near \"SELEC\"] ZI");
      assertThat(client.query("LISTEN heard; NOTIFY heard, 'well'"))
          .isEqualTo("C[LISTEN] C[NOTIFY] A[heard:well] ZI");
      assertThat(client.query("SET application_name = 'x'"))
          .isEqualTo("C[SET] S[application_name=x] ZI");
      assertThat(client.parameters()).containsEntry("application_name", "x");
    }
  }

  @Test
  void runsTheExtendedProtocol() {
    try (WireClient client = WireClient.connect(server.address(), Login.APP)) {
      client.send(parse("s", "SELECT $1::int, $2", 0, 25));
      client.send(bind("p", "s", 7, null), describePortal("p"), execute("p", 0), sync());
      assertThat(client.trace()).isEqualTo("1 2 T D('7', None) C[SELECT 1] ZI");
      assertThat(client.extended("BEGIN", "SELECT 1/0"))
          .isEqualTo("1 2 C[BEGIN] 1 E[ERROR 22012 division by zero] ZE");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scram-sha-256", "md5"})
  void provesItsPassword(String encryption) {
    server.createRole("prover", "'secret'", encryption);
    assertThat(login(server.address(), "secret")).endsWith("ZI");
    assertThat(login(server.address(), "wrong")).contains("E[FATAL 28P01");
  }

  @Test
  void showsItsPassword() {
    server.createRole("prover", "'secret'", "scram-sha-256");
    server.execute("REVOKE proves_password FROM prover", "GRANT shows_password TO prover");
    assertThat(login(server.address(), "secret")).endsWith("ZI");
    assertThat(login(server.address(), "wrong")).contains("E[FATAL 28P01");
  }

  @Test
  void connectsOverUnixSockets() {
    try (WireClient client = WireClient.connect(server.unixAddress(), Login.APP)) {
      assertThat(client.scalar("SELECT inet_client_addr() IS NULL")).isEqualTo("t");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {FrontendMessages.PROTOCOL_3_0, FrontendMessages.PROTOCOL_3_2})
  void cancels(int protocol) {
    Login login = Login.APP.protocol(protocol).with("application_name", "cancelled");
    try (WireClient client = WireClient.connect(server.address(), login)) {
      client.send(query("SELECT pg_sleep(30)"));
      assertThat(client.silentFor(Duration.ofMillis(100))).isTrue();
      assertThat(client.cancel()).isEmpty();
      assertThat(client.trace()).startsWith("T E[ERROR 57014").endsWith("ZI");
    }
  }

  @Test
  void cutsWhatItSends() {
    byte[] request = query("SELECT 'cut anywhere'");
    try (WireClient client = WireClient.connect(server.address(), Login.APP)) {
      for (int length = 1; length < request.length; length++) {
        client.cutSendsAt(length);
        client.send(request);
        assertThat(client.trace()).isEqualTo("T D('cut anywhere',) C[SELECT 1] ZI");
      }
    }
  }

  private static String login(SocketAddress address, String password) {
    try (WireClient client = WireClient.connect(address, Login.of("prover", "app", password))) {
      return Trace.show(client.loginReplies());
    }
  }
}
