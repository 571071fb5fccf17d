package io.pgring.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.login.secret.ScramVerifier;
import io.pgring.login.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages cut short, changed and made up: they fail a login, they neither throw nor pass. */
@Timeout(60)
class HostileMessageTest {
  private static final long SEED = 20260114;
  private static final String USER = "bob";
  private static final Secret PLAIN = Secret.parse("secret");

  /** With one iteration, so that a run of thousands takes no time. */
  private static final Secret STORED =
      Secret.parse(
          ScramVerifier.of("secret".getBytes(StandardCharsets.UTF_8), new byte[] {7}, 1).format());

  /** What happens to a message on its way. */
  private interface Damage {
    byte[] apply(byte[] body);
  }

  @ParameterizedTest
  @EnumSource(names = {"PASSWORD", "SCRAM_SHA_256"})
  void messagesCutAtEachByteNeverLogIn(AuthMethod method) {
    for (int message = 0; message < 2; message++) {
      for (int length = 0; length < 120; length++) {
        int keep = length;
        Damage cut = bytes -> Arrays.copyOf(bytes, Math.min(keep, bytes.length - 1));
        assertThat(loggedIn(method, message, cut)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PASSWORD", "SCRAM_SHA_256"})
  void changedMessagesNeverThrow(AuthMethod method) {
    Random random = new Random(SEED);
    Damage change =
        bytes -> {
          byte[] changed = bytes.clone();
          for (int i = 0; changed.length > 0 && i <= random.nextInt(3); i++) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
          }
          return changed;
        };
    for (int round = 0; round < 4000; round++) {
      loggedIn(method, round % 2, change);
    }
  }

  @ParameterizedTest
  @EnumSource(AuthMethod.class)
  void randomMessagesNeverLogIn(AuthMethod method) {
    Random random = new Random(SEED);
    for (int round = 0; round < 2000; round++) {
      ClientLogin client = Exchanges.client(method, STORED, USER);
      ServerLogin server = Exchanges.server(USER, PLAIN, null);
      for (int message = 0; message < 4; message++) {
        Exchanges.respondBody(client, randomBytes(random));
        Exchanges.authenticateBody(server, randomBytes(random));
      }
      assertThat(client.step()).isNotEqualTo(ClientLogin.Step.OK);
    }
  }

  /** Likely type codes and attribute texts among the noise, to get past the first checks. */
  private static byte[] randomBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(80)];
    random.nextBytes(bytes);
    if (bytes.length > 4 && random.nextBoolean()) {
      byte[] code = {0, 0, 0, (byte) random.nextInt(14)};
      System.arraycopy(code, 0, bytes, 0, code.length);
    }
    byte[] text = "SCRAM-SHA-256\0n,,n=,r=".getBytes(StandardCharsets.US_ASCII);
    if (random.nextBoolean()) {
      System.arraycopy(text, 0, bytes, 0, Math.min(text.length, bytes.length));
    }
    return bytes;
  }

  /** One login in which the client's message of that number is damaged. */
  private static boolean loggedIn(AuthMethod method, int damagedMessage, Damage damage) {
    ClientLogin client = Exchanges.client(method, STORED, USER);
    ServerLogin server = Exchanges.server(USER, PLAIN, null);
    boolean damaged = false;
    for (int i = 0; client.step() == ClientLogin.Step.CONTINUE; i++) {
      if (Exchanges.authenticate(server, client.request()) != ServerLogin.Step.SEND) {
        return false;
      }
      byte[] body = Exchanges.body(server.message());
      damaged |= i == damagedMessage;
      byte[] sent = i == damagedMessage ? damage.apply(body) : body;
      if (Exchanges.respondBody(client, sent) == ClientLogin.Step.NEEDS_KEY_DERIVATION) {
        client.deriveKeys();
        client.resume();
      }
    }
    return damaged && client.step() == ClientLogin.Step.OK;
  }
}
