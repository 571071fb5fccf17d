package io.pgring.login;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgring.login.ClientLogin.Step;
import io.pgring.login.secret.Secret;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ClientLoginTest {
  private static final String MECHANISM = "SCRAM-SHA-256";
  private static final String CLIENT_NONCE = "rOprNGfwEbeRWgbNEkqO";
  private static final String FIRST = "n,,n=,r=" + CLIENT_NONCE;
  private static final String PROOF = "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
  private static final String NO_DETAIL = null;

  private final Secret secret = Secret.parse("secret");

  @Test
  void requestsAreTheAuthenticationMessages() {
    assertThat(Exchanges.client(AuthMethod.TRUST, null, "bob").request()).isNull();
    assertThat(Exchanges.client(AuthMethod.TRUST, null, "bob").step()).isEqualTo(Step.OK);
    assertThat(Exchanges.client(AuthMethod.PASSWORD, secret, "bob").request())
        .isEqualTo(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 3});
    assertThat(Exchanges.client(AuthMethod.MD5, secret, "bob").request())
        .hasSize(13)
        .startsWith('R', 0, 0, 0, 12, 0, 0, 0, 5);
    assertThat(Exchanges.client(AuthMethod.SCRAM_SHA_256, secret, "bob").request())
        .asString(ISO_8859_1)
        .isEqualTo("R\0\0\0\27\0\0\0\12SCRAM-SHA-256\0\0");
  }

  @Test
  void namesOfMethodsAreThoseOfPgHba() {
    for (AuthMethod method : AuthMethod.values()) {
      assertThat(AuthMethod.ofYamlName(method.yamlName())).isEqualTo(method);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AuthMethod.ofYamlName("scram"))
        .withMessageContaining("scram-sha-256");
  }

  @Test
  void serverFirstIsThatOfRfc7677ButForNonceAndSalt() {
    ClientLogin login = scramAfter(initial(FIRST));
    assertThat(login.step()).isEqualTo(Step.CONTINUE);
    assertThat(serverFirst(login))
        .matches("r=" + CLIENT_NONCE + "[A-Za-z0-9+/]{24},s=[A-Za-z0-9+/]{22}==,i=4096");
    assertThat(serverFirst(scramAfter(initial(FIRST)))).isNotEqualTo(serverFirst(login));
  }

  @Test
  void withoutAnInitialResponseTheChallengeIsEmpty() {
    ClientLogin login = scramAfter(bytes(MECHANISM + "\0", ByteBuffer.allocate(4).putInt(-1)));
    assertThat(login.request()).isEqualTo(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 11});
    assertThat(Exchanges.respondBody(login, FIRST.getBytes(UTF_8))).isEqualTo(Step.CONTINUE);
    assertThat(serverFirst(login)).startsWith("r=" + CLIENT_NONCE);
  }

  static Arguments[] malformedFirsts() {
    String plus = "includes channel binding data.";
    return new Arguments[] {
      Arguments.of("", "08P01", "malformed SCRAM message", "The message is empty."),
      Arguments.of(
          "n,,n=,r=a\0b",
          "08P01",
          "malformed SCRAM message",
          "Message length does not match input length."),
      Arguments.of(
          "p=tls-server-end-point,,n=,r=abc",
          "08P01",
          "malformed SCRAM message",
          "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message "
              + plus),
      Arguments.of(
          "x,,n=,r=a",
          "08P01",
          "malformed SCRAM message",
          "Unexpected channel-binding flag \"'x'\"."),
      Arguments.of(
          "\u00E9,,",
          "08P01",
          "malformed SCRAM message",
          "Unexpected channel-binding flag \"0xe9\"."),
      Arguments.of(
          "n", "08P01", "malformed SCRAM message", "Comma expected, but found character \"0x00\"."),
      Arguments.of(
          "y=,",
          "08P01",
          "malformed SCRAM message",
          "Comma expected, but found character \"'='\"."),
      Arguments.of(
          "n,a=bob,n=,r=a",
          "0A000",
          "client uses authorization identity, but it is not supported",
          NO_DETAIL),
      Arguments.of(
          "n,b=bob,n=,r=a",
          "08P01",
          "malformed SCRAM message",
          "Unexpected attribute \"'b'\" in client-first-message."),
      Arguments.of(
          "n,,m=x,n=,r=a", "0A000", "client requires an unsupported SCRAM extension", NO_DETAIL),
      Arguments.of(
          "n,,",
          "08P01",
          "malformed SCRAM message",
          "Expected attribute \"n\" but found \"0x00\"."),
      Arguments.of(
          "n,,n",
          "08P01",
          "malformed SCRAM message",
          "Expected character \"=\" for attribute \"n\"."),
      Arguments.of(
          "n,,n=,s=a",
          "08P01",
          "malformed SCRAM message",
          "Expected attribute \"r\" but found \"'s'\"."),
      Arguments.of("n,,n=,r=a b", "08P01", "non-printable characters in SCRAM nonce", NO_DETAIL),
      Arguments.of(
          "n,,n=,r=a,1=",
          "08P01",
          "malformed SCRAM message",
          "Attribute expected, but found invalid character \"'1'\"."),
      Arguments.of(
          "n,,n=,r=a,x",
          "08P01",
          "malformed SCRAM message",
          "Expected character \"=\" for attribute \"x\".")
    };
  }

  @ParameterizedTest
  @MethodSource("malformedFirsts")
  void malformedFirstMessagesFailInTheWordsOfPostgres(
      String message, String sqlState, String text, String detail) {
    assertFailed(scramAfter(initial(message)), sqlState, text, detail);
  }

  static Arguments[] malformedFinals() {
    String malformed = "malformed SCRAM message";
    return new Arguments[] {
      finalCase(nonce -> "", malformed, "The message is empty."),
      finalCase(nonce -> "r=" + nonce, malformed, "Expected attribute \"c\" but found \"'r'\"."),
      finalCase(
          nonce -> "c=eSws,r=" + nonce + "," + PROOF,
          "unexpected SCRAM channel-binding attribute in client-final-message",
          NO_DETAIL),
      finalCase(nonce -> "c=biws", malformed, "Expected attribute \"r\" but found \"0x00\"."),
      finalCase(
          nonce -> "c=biws,r=" + nonce, malformed, "Attribute expected, but found end of string."),
      finalCase(
          nonce -> "c=biws,r=" + nonce + ",x=1",
          malformed,
          "Attribute expected, but found end of string."),
      finalCase(
          nonce -> "c=biws,r=" + nonce + ",p=AAAA",
          malformed,
          "Malformed proof in client-final-message."),
      finalCase(
          nonce -> "c=biws,r=" + nonce + ",p=" + "!".repeat(43) + "=",
          malformed,
          "Malformed proof in client-final-message."),
      finalCase(
          nonce -> "c=biws,r=" + nonce + ",p=" + "A".repeat(42) + "==",
          malformed,
          "Malformed proof in client-final-message."),
      finalCase(
          nonce -> "c=biws,r=" + nonce + "," + PROOF + ",x=1",
          malformed,
          "Garbage found at the end of client-final-message."),
      finalCase(
          nonce -> "c=biws,r=" + nonce + "x," + PROOF,
          "invalid SCRAM response",
          "Nonce does not match."),
      finalCase(
          nonce -> "c=biws,r=" + CLIENT_NONCE + "," + PROOF,
          "invalid SCRAM response",
          "Nonce does not match.")
    };
  }

  private static Arguments finalCase(UnaryOperator<String> message, String text, String detail) {
    return Arguments.of(message, text, detail);
  }

  @ParameterizedTest
  @MethodSource("malformedFinals")
  void malformedFinalMessagesFailInTheWordsOfPostgres(
      UnaryOperator<String> message, String text, String detail) {
    for (Secret known : new Secret[] {secret, null}) {
      ClientLogin login = Exchanges.client(AuthMethod.SCRAM_SHA_256, known, "bob");
      Exchanges.respondBody(login, initial(FIRST));
      String nonce = serverFirst(login).substring(2, serverFirst(login).indexOf(','));
      Exchanges.respondBody(login, message.apply(nonce).getBytes(ISO_8859_1));
      assertFailed(login, "08P01", text, detail);
    }
  }

  @ParameterizedTest
  @CsvSource({"n,biws", "y,eSws"})
  void extensionsAndBothFlagsAreAccepted(String flag, String binding) {
    ClientLogin login = scramAfter(initial(flag + ",,n=ignored,r=" + CLIENT_NONCE + ",x=1,y=2"));
    String nonce = serverFirst(login).substring(2, serverFirst(login).indexOf(','));
    String last = "c=" + binding + ",r=" + nonce + ",z=3," + PROOF;
    Exchanges.respondBody(login, last.getBytes(UTF_8));
    assertFailed(login, "28P01", "password authentication failed for user \"bob\"", NO_DETAIL);
  }

  static Arguments[] malformedInitials() {
    return new Arguments[] {
      Arguments.of(bytes(MECHANISM), "invalid string in message"),
      Arguments.of(new byte[0], "invalid string in message"),
      Arguments.of(
          bytes("SCRAM-SHA-256-PLUS\0", ByteBuffer.allocate(4)),
          "client selected an invalid SASL authentication mechanism"),
      Arguments.of(bytes("secret\0"), "client selected an invalid SASL authentication mechanism"),
      Arguments.of(bytes(MECHANISM + "\0\0\0"), "insufficient data left in message"),
      Arguments.of(
          bytes(MECHANISM + "\0", ByteBuffer.allocate(4).putInt(1)),
          "insufficient data left in message"),
      Arguments.of(
          bytes(MECHANISM + "\0", ByteBuffer.allocate(4).putInt(-2)),
          "insufficient data left in message"),
      Arguments.of(
          bytes(MECHANISM + "\0", ByteBuffer.allocate(5).putInt(-1)), "invalid message format"),
      Arguments.of(
          bytes(MECHANISM + "\0", ByteBuffer.allocate(5).putInt(0)), "invalid message format")
    };
  }

  @ParameterizedTest
  @MethodSource("malformedInitials")
  void malformedInitialResponsesFailInTheWordsOfPostgres(byte[] body, String text) {
    assertFailed(scramAfter(body), "08P01", text, NO_DETAIL);
  }

  static Arguments[] malformedPasswords() {
    String size = "invalid password packet size";
    return new Arguments[] {
      Arguments.of(new byte[0], "08P01", size),
      Arguments.of(bytes("secret"), "08P01", size),
      Arguments.of(bytes("sec\0ret\0"), "08P01", size),
      Arguments.of(bytes("secret\0\0"), "08P01", size),
      Arguments.of(bytes("\0"), "28P01", "empty password returned by client")
    };
  }

  @ParameterizedTest
  @MethodSource("malformedPasswords")
  void malformedPasswordMessagesFailInTheWordsOfPostgres(
      byte[] body, String sqlState, String text) {
    for (AuthMethod method : new AuthMethod[] {AuthMethod.PASSWORD, AuthMethod.MD5}) {
      ClientLogin login = Exchanges.client(method, secret, "bob");
      Exchanges.respondBody(login, body);
      assertFailed(login, sqlState, text, NO_DETAIL);
    }
  }

  @ParameterizedTest
  @CsvSource({"SCRAM_SHA_256, 1025", "PASSWORD, 65536", "MD5, 65536"})
  void oversizedMessagesFail(AuthMethod method, int lengthBytes) {
    ClientLogin login = Exchanges.client(method, secret, "bob");
    Exchanges.respondBody(login, new byte[lengthBytes]);
    assertFailed(login, "08P01", "invalid message length", NO_DETAIL);
  }

  @Test
  void anotherMessageInsteadOfTheAnswerIsNamedByItsType() {
    ClientLogin scram = scramAfter(initial(FIRST));
    assertThat(scram.onUnexpectedType((byte) 0)).isEqualTo(Step.FAILED);
    assertFailed(scram, "08P01", "expected SASL response, got message type 0", NO_DETAIL);
    ClientLogin password = Exchanges.client(AuthMethod.PASSWORD, secret, "bob");
    password.onUnexpectedType((byte) 'Q');
    assertFailed(password, "08P01", "expected password response, got message type 81", NO_DETAIL);
  }

  @ParameterizedTest
  @EnumSource(AuthMethod.class)
  void aMessageAfterTheVerdictFails(AuthMethod method) {
    ClientLogin login = Exchanges.client(method, secret, "bob");
    Exchanges.converse(login, Exchanges.server("bob", secret, null));
    assertThat(login.step()).isEqualTo(Step.OK);
    assertThat(Exchanges.respondBody(login, bytes("secret\0"))).isEqualTo(Step.FAILED);
    assertThat(login.keys()).isNull();
  }

  @Test
  void aMessageDuringKeyDerivationFailsTheLogin() {
    ClientLogin login = Exchanges.client(AuthMethod.PASSWORD, secret, "bob");
    assertThat(Exchanges.respondBody(login, bytes("secret\0")))
        .isEqualTo(Step.NEEDS_KEY_DERIVATION);
    login.deriveKeys();
    Exchanges.respondBody(login, bytes("secret\0"));
    assertThat(login.resume()).isEqualTo(Step.FAILED);
  }

  @Test
  void anUnknownUserHasAStableSaltAndTheSameExchange() {
    String known = serverFirst(scramAfter(initial(FIRST)));
    ClientLogin unknown = Exchanges.client(AuthMethod.SCRAM_SHA_256, null, "ghost");
    Exchanges.respondBody(unknown, initial(FIRST));
    ClientLogin again = Exchanges.client(AuthMethod.SCRAM_SHA_256, null, "ghost");
    Exchanges.respondBody(again, initial(FIRST));
    assertThat(serverFirst(unknown)).hasSameSizeAs(known).endsWith(",i=4096");
    assertThat(saltOf(again)).isEqualTo(saltOf(unknown));
    ClientLogin other = Exchanges.client(AuthMethod.SCRAM_SHA_256, null, "ghost2");
    Exchanges.respondBody(other, initial(FIRST));
    assertThat(saltOf(other)).isNotEqualTo(saltOf(unknown));
  }

  private static String saltOf(ClientLogin login) {
    String text = serverFirst(login);
    return text.substring(text.indexOf(",s="));
  }

  private ClientLogin scramAfter(byte[] body) {
    ClientLogin login = Exchanges.client(AuthMethod.SCRAM_SHA_256, secret, "bob");
    Exchanges.respondBody(login, body);
    return login;
  }

  private static String serverFirst(ClientLogin login) {
    byte[] message = login.request();
    return new String(message, 9, message.length - 9, ISO_8859_1);
  }

  private static void assertFailed(ClientLogin login, String sqlState, String text, String detail) {
    assertThat(login.step()).isEqualTo(Step.FAILED);
    assertThat(login.request()).isNull();
    assertThat(login.failure().sqlState()).isEqualTo(sqlState);
    assertThat(login.failure().message()).isEqualTo(text);
    assertThat(login.failure().detail()).isEqualTo(detail);
    assertThat(login.failure().logReason()).isNotBlank();
  }

  static byte[] initial(String data) {
    byte[] first = data.getBytes(ISO_8859_1);
    ByteBuffer tail = ByteBuffer.allocate(4 + first.length).putInt(first.length).put(first);
    return bytes(MECHANISM + "\0", tail);
  }

  private static byte[] bytes(String text, ByteBuffer... tail) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(text.getBytes(ISO_8859_1));
    for (ByteBuffer buffer : tail) {
      out.writeBytes(buffer.array());
    }
    return out.toByteArray();
  }
}
