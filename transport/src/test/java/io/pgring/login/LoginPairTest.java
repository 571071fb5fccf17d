package io.pgring.login;

import static io.pgring.login.AuthMethod.MD5;
import static io.pgring.login.AuthMethod.PASSWORD;
import static io.pgring.login.AuthMethod.SCRAM_SHA_256;
import static io.pgring.login.AuthMethod.TRUST;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.login.secret.SaltedPasswordCache;
import io.pgring.login.secret.ScramVerifier;
import io.pgring.login.secret.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A client login and a server login of ours, talking to each other. */
@Timeout(60)
class LoginPairTest {
  private static final String USER = "bob";

  /** md5 of "secretbob". */
  private static final String MD5_OF_SECRET = "md521f3163f8f86fa10bdefbfbd502a8f06";

  private static final String REFUSED = "28P01 password authentication failed for user \"bob\"";

  private static String verifierOf(String password) {
    return ScramVerifier.of(password.getBytes(UTF_8), new byte[] {7, 8, 9}, 64).format();
  }

  static Arguments[] logins() {
    String verifier = verifierOf("secret");
    String md5 = MD5_OF_SECRET;
    return new Arguments[] {
      Arguments.of(TRUST, null, null, "OK"),
      Arguments.of(TRUST, "secret", "other", "OK"),
      Arguments.of(PASSWORD, "secret", "secret", "OK"),
      Arguments.of(PASSWORD, verifier, "secret", "OK"),
      Arguments.of(PASSWORD, md5, "secret", "OK"),
      Arguments.of(PASSWORD, "secret", "Secret", REFUSED),
      Arguments.of(PASSWORD, verifier, "Secret", REFUSED),
      Arguments.of(PASSWORD, md5, "Secret", REFUSED),
      Arguments.of(PASSWORD, null, "secret", REFUSED),
      Arguments.of(MD5, "secret", "secret", "OK"),
      Arguments.of(MD5, md5, "secret", "OK"),
      Arguments.of(MD5, "secret", md5, "OK"),
      Arguments.of(MD5, md5, md5, "OK"),
      Arguments.of(MD5, verifier, "secret", "OK"),
      Arguments.of(MD5, "secret", "Secret", REFUSED),
      Arguments.of(MD5, md5, "Secret", REFUSED),
      Arguments.of(MD5, verifier, "Secret", REFUSED),
      Arguments.of(MD5, null, "secret", REFUSED),
      Arguments.of(SCRAM_SHA_256, "secret", "secret", "OK"),
      Arguments.of(SCRAM_SHA_256, verifier, "secret", "OK"),
      Arguments.of(SCRAM_SHA_256, "secret", "Secret", REFUSED),
      Arguments.of(SCRAM_SHA_256, verifier, "Secret", REFUSED),
      Arguments.of(SCRAM_SHA_256, md5, "secret", REFUSED),
      Arguments.of(SCRAM_SHA_256, null, "secret", REFUSED)
    };
  }

  @ParameterizedTest(name = "{0} stored {1} presented {2}")
  @MethodSource("logins")
  void loginsEndAsPostgresEndsThem(
      AuthMethod method, String stored, String presented, String expected) {
    ClientLogin client = Exchanges.client(method, Exchanges.secretOrNull(stored), USER);
    ServerLogin server = Exchanges.server(USER, Exchanges.secretOrNull(presented), null);
    assertThat(Exchanges.converse(client, server)).isEqualTo(expected);
  }

  static Arguments[] passwords() {
    String long3000 = "L".repeat(3000);
    return new Arguments[] {
      Arguments.of("pass\u00A0word", "pass word", true),
      Arguments.of("pass word", "pass\u00A0word", true),
      Arguments.of("pass\u00A0word", "pass\u00A0word", true),
      Arguments.of("pass\u00A0word", "password", false),
      Arguments.of("ab\u00ADcd", "abcd", true),
      Arguments.of("ab\u00ADcd", "ab-cd", false),
      Arguments.of("e\u0301t\u00E9", "\u00E9t\u00E9", true),
      Arguments.of("e\u0301t\u00E9", "ete", false),
      Arguments.of("\u00AD", "\u00AD", true),
      Arguments.of(long3000, long3000, true),
      Arguments.of(long3000, "L".repeat(2999), false),
      Arguments.of(long3000, "L".repeat(2999) + "M", false),
      Arguments.of("L".repeat(1024), "L".repeat(1024), true),
      Arguments.of("L".repeat(1024), "L".repeat(1023), false),
      Arguments.of("L".repeat(1023), "L".repeat(1023), true),
      Arguments.of("L".repeat(1023), "L".repeat(1024), false)
    };
  }

  @ParameterizedTest
  @MethodSource("passwords")
  void passwordsMatchInTheirPreparedFormAndWhole(String stored, String presented, boolean fits) {
    Secret[] secrets = {Secret.parse(stored), Secret.parse(verifierOf(stored))};
    for (Secret secret : secrets) {
      for (AuthMethod method : new AuthMethod[] {SCRAM_SHA_256, PASSWORD}) {
        ClientLogin client = Exchanges.client(method, secret, USER);
        ServerLogin server = Exchanges.server(USER, Secret.parse(presented), null);
        assertThat(Exchanges.converse(client, server)).isEqualTo(fits ? "OK" : REFUSED);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("keyBearingMethods")
  void keysOfAClientLogInToAServerWithTheSameVerifier(AuthMethod method) {
    Secret verifier = Secret.parse(verifierOf("secret"));
    ClientLogin inbound = Exchanges.client(method, verifier, USER);
    assertThat(inbound.keys()).isNull();
    ServerLogin peer = Exchanges.server(USER, Secret.parse("secret"), null);
    assertThat(Exchanges.converse(inbound, peer)).isEqualTo("OK");

    ClientLogin target = Exchanges.client(SCRAM_SHA_256, verifier, USER);
    ServerLogin outbound = Exchanges.server(USER, verifier, inbound.keys());
    assertThat(Exchanges.converse(target, outbound)).isEqualTo("OK");
  }

  static AuthMethod[] keyBearingMethods() {
    return new AuthMethod[] {SCRAM_SHA_256, PASSWORD};
  }

  @Test
  void keysDoNotServeAnotherVerifierOfTheSamePassword() {
    Secret verifier = Secret.parse(verifierOf("secret"));
    ClientLogin inbound = Exchanges.client(SCRAM_SHA_256, verifier, USER);
    Exchanges.converse(inbound, Exchanges.server(USER, Secret.parse("secret"), null));

    ClientLogin target = Exchanges.client(SCRAM_SHA_256, Secret.parse("secret"), USER);
    ServerLogin outbound = Exchanges.server(USER, verifier, inbound.keys());
    assertThat(Exchanges.converse(target, outbound))
        .contains("another salt or iteration count", "pg_authid.rolpassword", USER);
  }

  @Test
  void aSecondLoginFindsItsKeysInTheCache() {
    Secret secret = Secret.parse("secret");
    SaltedPasswordCache cache = new SaltedPasswordCache(10);
    for (int login = 0; login < 3; login++) {
      ClientLogin client = Exchanges.client(SCRAM_SHA_256, secret, USER);
      ServerLogin server = ServerLogin.of(USER, secret, null, cache, Exchanges.RANDOM);
      Exchanges.authenticate(server, client.request());
      Exchanges.respond(client, server.message());
      ServerLogin.Step step = Exchanges.authenticateBody(server, Exchanges.body(client.request()));
      assertThat(step)
          .isEqualTo(login == 0 ? ServerLogin.Step.NEEDS_KEY_DERIVATION : ServerLogin.Step.SEND);
      if (login == 0) {
        server.deriveKeys();
        assertThat(server.resume()).isEqualTo(ServerLogin.Step.SEND);
      }
      assertThat(Exchanges.respond(client, server.message())).isEqualTo(ClientLogin.Step.OK);
    }
  }

  @Test
  void logReasonTellsWhatTheClientMustNotKnow() {
    assertThat(reasonOf(null)).contains("no such user");
    assertThat(reasonOf("other")).isEqualTo("password does not match");
    assertThat(reasonOf(MD5_OF_SECRET)).contains("md5 hash cannot serve scram-sha-256");
  }

  private static String reasonOf(String stored) {
    ClientLogin client = Exchanges.client(SCRAM_SHA_256, Exchanges.secretOrNull(stored), USER);
    Exchanges.converse(client, Exchanges.server(USER, Secret.parse("secret"), null));
    return client.failure().logReason();
  }
}
