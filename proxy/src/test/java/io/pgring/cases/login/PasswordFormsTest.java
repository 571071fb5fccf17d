package io.pgring.cases.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import org.junit.jupiter.api.Timeout;

/**
 * Passwords that are not plain ASCII or not short, and secrets stored in each of the forms that
 * PostgreSQL stores. Clients send the SASLprep form; what the proxy has configured need not be it.
 */
@Timeout(30)
class PasswordFormsTest {
  private static final String NO_BREAK_SPACE = "\u00a0";
  private static final String SOFT_HYPHEN = "\u00ad";
  private static final String COMBINING_ACUTE = "\u0301";
  private static final String E_ACUTE = "\u00e9";

  @ProxyTest(compare = false)
  void aNoBreakSpaceIsASpace(Rig rig) {
    assertEqualPasswords(rig, "pass" + NO_BREAK_SPACE + "word", "pass word");
  }

  @ProxyTest(compare = false)
  void aSoftHyphenIsNothing(Rig rig) {
    assertEqualPasswords(rig, "ab" + SOFT_HYPHEN + "cd", "abcd");
  }

  @ProxyTest(compare = false)
  void accentsAreComposed(Rig rig) {
    assertEqualPasswords(rig, "e" + COMBINING_ACUTE + "t" + E_ACUTE, E_ACUTE + "t" + E_ACUTE);
  }

  @ProxyTest(compare = false)
  void veryLongPasswordsCountToTheirLastCharacter(Rig rig) {
    for (int length : new int[] {1023, 1024, 3000}) {
      String role = "long" + length;
      String password = "L".repeat(length);
      rig.server().createRole(role, "'" + password + "'", "scram-sha-256");
      rig.user(role, password);
    }
    for (int length : new int[] {1023, 1024, 3000}) {
      String role = "long" + length;
      assertThat(login(rig, role, "L".repeat(length))).isEqualTo(role);
      assertThat(login(rig, role, "L".repeat(length - 1))).isEqualTo(refused(role));
      assertThat(login(rig, role, "L".repeat(length + 1))).isEqualTo(refused(role));
    }
  }

  @ProxyTest(compare = false)
  void aRoleWithAnMd5HashOnTheServer(Rig rig) {
    rig.server().createRole("hashed", "'mm'", "md5");
    rig.user("hashed", "mm");
    assertThat(login(rig, "hashed", "mm")).isEqualTo("hashed");
    assertThat(login(rig, "hashed", "m")).isEqualTo(refused("hashed"));
  }

  @ProxyTest(compare = false)
  void theMd5HashItselfAsTheConfiguredSecret(Rig rig) {
    rig.server().createRole("hashed", "'mm'", "md5");
    rig.user("hashed", storedSecret(rig, "hashed"));
    assertThat(login(rig, "hashed", "mm")).isEqualTo("hashed");
    assertThat(login(rig, "hashed", "m")).isEqualTo(refused("hashed"));
  }

  @ProxyTest(compare = false)
  void theScramVerifierAsTheConfiguredSecret(Rig rig) {
    rig.server().createRole("verified", "'vv'", "scram-sha-256");
    rig.user("verified", storedSecret(rig, "verified"));
    assertThat(login(rig, "verified", "v")).isEqualTo(refused("verified"));
    assertThat(login(rig, "verified", "vv")).isEqualTo("verified");
  }

  @ProxyTest(direct = false, compare = false)
  void anUnknownUserIsRefusedLikeAWrongPassword(Rig rig) {
    assertThat(login(rig, "never_created", "x")).isEqualTo(refused("never_created"));
  }

  private static void assertEqualPasswords(Rig rig, String stored, String sent) {
    rig.server().createRole("spelled", "'" + stored + "'", "scram-sha-256");
    rig.user("spelled", stored);
    assertThat(login(rig, "spelled", sent)).isEqualTo("spelled");
    assertThat(login(rig, "spelled", sent + "x")).isEqualTo(refused("spelled"));
  }

  /** The name of the user the server sees, or the error of the login. */
  private static String login(Rig rig, String role, String password) {
    WireClient client = rig.client(Login.of(role, "app", password));
    return client.keyData() != null
        ? client.scalar("SELECT current_user")
        : client.loginReplies().get(client.loginReplies().size() - 1).toString();
  }

  private static String refused(String role) {
    return "E[FATAL 28P01 password authentication failed for user \"" + role + "\"]";
  }

  private static String storedSecret(Rig rig, String role) {
    return rig.server().scalar("SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'");
  }
}
