package io.pgring.login;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.login.ServerLogin.Step;
import io.pgring.login.secret.ScramVerifier;
import io.pgring.login.secret.Secret;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ServerLoginTest {
  private static final String USER = "bob";
  private static final String MD5 = "md5cb9e1f4e3541892ed3d4a528d701aed2";
  private static final String VERIFIER =
      ScramVerifier.of("secret".getBytes(UTF_8), new byte[] {7}, 2).format();
  private static final byte[] SASL = request(10, "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");

  @Test
  void trustNeedsNothing() {
    assertThat(Exchanges.authenticateBody(login("secret"), request(0, ""))).isEqualTo(Step.OK);
    assertThat(Exchanges.authenticateBody(login(null), request(0, ""))).isEqualTo(Step.OK);
  }

  @Test
  void messagesAreThoseOfLibpq() {
    ServerLogin clear = login("s\u00E9c");
    assertThat(Exchanges.authenticateBody(clear, request(3, ""))).isEqualTo(Step.SEND);
    assertThat(clear.message()).asString(UTF_8).isEqualTo("p\0\0\0\11s\u00E9c\0");
    ServerLogin md5 = ServerLoginTest.login(MD5);
    assertThat(Exchanges.authenticateBody(md5, request(5, "\1\2\3\4"))).isEqualTo(Step.SEND);
    assertThat(md5.message())
        .asString(UTF_8)
        .isEqualTo("p\0\0\0\50md583178f47f66f59eaf91d93715fd544f9\0");
    ServerLogin scram = login("secret");
    assertThat(Exchanges.authenticateBody(scram, SASL)).isEqualTo(Step.SEND);
    assertThat(scram.message())
        .asString(UTF_8)
        .matches("(?s)p\0\0\0\66SCRAM-SHA-256\0\0\0\0\40n,,n=,r=[A-Za-z0-9+/]{24}");
  }

  static Arguments[] unserved() {
    return new Arguments[] {
      Arguments.of(null, request(3, ""), "no password is configured"),
      Arguments.of(null, request(5, "abcd"), "no password is configured"),
      Arguments.of(null, SASL, "no password is configured"),
      Arguments.of(MD5, request(3, ""), "md5 hash is configured"),
      Arguments.of(MD5, SASL, "configure the password or, for scram-sha-256"),
      Arguments.of(VERIFIER, request(3, ""), "configure the password"),
      Arguments.of(VERIFIER, request(5, "abcd"), "asks user \"bob\" for md5"),
      Arguments.of(VERIFIER, SASL, "no client has logged in by scram-sha-256 yet"),
      Arguments.of("secret", request(10, "OAUTHBEARER\0\0"), "no SASL mechanism"),
      Arguments.of("secret", request(10, ""), "no SASL mechanism"),
      Arguments.of("secret", request(2, ""), "Kerberos"),
      Arguments.of("secret", request(7, ""), "GSSAPI"),
      Arguments.of("secret", request(8, "x"), "GSSAPI"),
      Arguments.of("secret", request(9, ""), "SSPI"),
      Arguments.of("secret", request(99, ""), "unknown method (code 99)"),
      Arguments.of("secret", request(5, "abc"), "malformed or out of order"),
      Arguments.of("secret", request(11, "r=x"), "malformed or out of order"),
      Arguments.of("secret", request(12, "v=x"), "malformed or out of order"),
      Arguments.of("secret", new byte[3], "request of 3 bytes"),
      Arguments.of("secret", new byte[2001], "request of 2001 bytes")
    };
  }

  @ParameterizedTest
  @MethodSource("unserved")
  void whatTheSecretCannotServeFailsWithTheCure(String configured, byte[] body, String text) {
    ServerLogin login = login(configured);
    assertThat(Exchanges.authenticateBody(login, body)).isEqualTo(Step.FAILED);
    assertThat(login.failure()).contains(text);
    assertThat(login.message()).isNull();
  }

  static Arguments[] serverFirsts() {
    return new Arguments[] {
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=1", null),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=10000000", null),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=4096,x=ignored", null),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=10000001", "asks for 10000001 SCRAM iterations"),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=99999999999", "asks for too many SCRAM"),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=0", "1 to 10000000 are accepted"),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=", "invalid iteration count"),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=-1", "invalid iteration count"),
      first(nonce -> "r=" + nonce + "x,s=QUJD,i=1e3", "invalid iteration count"),
      first(nonce -> "r=" + nonce + "x,s=,i=1", "invalid salt"),
      first(nonce -> "r=" + nonce + "x,s=QUJ,i=1", "invalid salt"),
      first(nonce -> "r=" + nonce + "x,s=????,i=1", "invalid salt"),
      first(nonce -> "r=" + nonce + ",s=QUJD,i=1", "does not continue ours"),
      first(nonce -> "r=x" + nonce + ",s=QUJD,i=1", "does not continue ours"),
      first(nonce -> "m=x,r=" + nonce + "x,s=QUJD,i=1", "Expected attribute \"r\""),
      first(nonce -> "r=" + nonce + "x,i=1", "Expected attribute \"s\""),
      first(nonce -> "r=" + nonce + "x,s=QUJD", "Expected attribute \"i\""),
      first(nonce -> "", "Expected attribute \"r\"")
    };
  }

  private static Arguments first(UnaryOperator<String> message, String textOrNull) {
    return Arguments.of(message, textOrNull);
  }

  @ParameterizedTest
  @MethodSource("serverFirsts")
  void serverFirstIsReadStrictly(UnaryOperator<String> message, String textOrNull) {
    ServerLogin login = login("secret");
    Exchanges.authenticateBody(login, SASL);
    String nonce = new String(login.message(), ISO_8859_1).replaceFirst("(?s).*r=", "");
    Step step = Exchanges.authenticateBody(login, request(11, message.apply(nonce)));
    assertThat(step).isEqualTo(textOrNull == null ? Step.NEEDS_KEY_DERIVATION : Step.FAILED);
    if (textOrNull != null) {
      assertThat(login.failure()).contains(textOrNull);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=, signature is wrong",
    "v=, signature is wrong",
    "v=!, signature is wrong",
    "e=other-error, ended the SCRAM exchange with an error",
    "x=1, malformed SCRAM message"
  })
  void aServerThatDoesNotKnowThePasswordIsRefused(String serverFinal, String text) {
    ServerLogin login = untilClientFinal();
    assertThat(Exchanges.authenticateBody(login, request(12, serverFinal))).isEqualTo(Step.FAILED);
    assertThat(login.failure()).contains(text);
  }

  @Test
  void everyBitOfTheServerSignatureCounts() {
    Secret secret = Secret.parse(VERIFIER);
    for (int i = 0; i < 44; i++) {
      ClientLogin client = Exchanges.client(AuthMethod.SCRAM_SHA_256, secret, USER);
      ServerLogin server = login("secret");
      Exchanges.authenticate(server, client.request());
      Exchanges.respond(client, server.message());
      Exchanges.authenticate(server, client.request());
      Exchanges.respond(client, server.message());
      byte[] tampered = client.request();
      int index = tampered.length - 44 + i;
      tampered[index] = (byte) (tampered[index] == 'A' ? 'Q' : 'A');
      assertThat(Exchanges.authenticate(server, tampered)).isEqualTo(Step.FAILED);
    }
  }

  @Test
  void aServerCannotSkipItsProof() {
    ServerLogin begun = login("secret");
    Exchanges.authenticateBody(begun, SASL);
    assertThat(Exchanges.authenticateBody(begun, request(0, ""))).isEqualTo(Step.FAILED);
    ServerLogin nearlyDone = untilClientFinal();
    assertThat(Exchanges.authenticateBody(nearlyDone, request(0, ""))).isEqualTo(Step.FAILED);
    assertThat(nearlyDone.failure()).contains("before it proved");
  }

  @Test
  void aServerCannotAskForThePasswordAfterScramBegan() {
    for (byte[] next : new byte[][] {request(3, ""), request(5, "abcd"), SASL}) {
      ServerLogin login = login("secret");
      Exchanges.authenticateBody(login, SASL);
      assertThat(Exchanges.authenticateBody(login, next)).isEqualTo(Step.FAILED);
    }
  }

  @Test
  void aMessageDuringKeyDerivationFailsTheLogin() {
    ServerLogin login = login("secret");
    Exchanges.authenticateBody(login, SASL);
    String nonce = new String(login.message(), ISO_8859_1).replaceFirst("(?s).*r=", "");
    Exchanges.authenticateBody(login, request(11, "r=" + nonce + "x,s=QUJD,i=1"));
    login.deriveKeys();
    Exchanges.authenticateBody(login, request(0, ""));
    assertThat(login.resume()).isEqualTo(Step.FAILED);
  }

  private static ServerLogin untilClientFinal() {
    ServerLogin login = login("secret");
    Exchanges.authenticateBody(login, SASL);
    String nonce = new String(login.message(), ISO_8859_1).replaceFirst("(?s).*r=", "");
    Exchanges.authenticateBody(login, request(11, "r=" + nonce + "x,s=QUJD,i=1"));
    login.deriveKeys();
    assertThat(login.resume()).isEqualTo(Step.SEND);
    return login;
  }

  private static ServerLogin login(String configured) {
    String user = MD5.equals(configured) ? "md5u" : USER;
    return Exchanges.server(user, Exchanges.secretOrNull(configured), null);
  }

  private static byte[] request(int code, String data) {
    byte[] bytes = data.getBytes(ISO_8859_1);
    return ByteBuffer.allocate(4 + bytes.length).putInt(code).put(bytes).array();
  }
}
