package io.pgring.cases.login;

import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.message;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.startup;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/**
 * Messages out of turn during the login. Whoever proves to be one user must never become another,
 * and nothing is run before the login is over.
 */
@Timeout(30)
class SecondStartupTest {
  private static final List<String> DATABASES = List.of("app", "absent");
  private static final byte[] BOSS = startup("user", "boss", "database", "app");
  private static final String EXPECTED_SASL_RESPONSE =
      "E[FATAL 08P01 expected SASL response, got message type ";

  @ProxyTest(compare = false)
  void aSecondStartupInPlaceOfTheSaslResponse(Rig rig) {
    createUsers(rig);
    for (String database : DATABASES) {
      WireClient client = rig.connection();
      client.send(startup("user", "weak", "database", database));
      assertThat(client.trace("RE", 1)).isEqualTo("R");
      client.send(BOSS);
      assertThat(client.trace("Z", 1)).isEqualTo(EXPECTED_SASL_RESPONSE + "0] EOF");
    }
    assertThat(sessionsOf(rig, "boss")).isEmpty();
  }

  @ProxyTest(compare = false)
  void bothStartupsInOnePacket(Rig rig) {
    createUsers(rig);
    for (String database : DATABASES) {
      WireClient client = rig.connection();
      client.answerAuthenticationAs(Login.of("weak", database, "weak secret"));
      client.send(concat(startup("user", "weak", "database", database), BOSS));
      assertThat(client.trace("Z", 1)).isEqualTo("R " + EXPECTED_SASL_RESPONSE + "0] EOF");
    }
    assertThat(sessionsOf(rig, "boss")).isEmpty();
  }

  @ProxyTest(compare = false)
  void aPasswordBeforeTheStartup(Rig rig) {
    WireClient client = rig.connection();
    client.send(message('p', new byte[] {'x', 0}));
    assertThat(client.readToEnd()).isEmpty();
  }

  @ProxyTest(compare = false)
  void aQueryBeforeTheLogin(Rig rig) {
    createUsers(rig);
    WireClient client = rig.connection();
    client.send(
        startup("user", "weak", "database", "app"), query("CREATE TABLE never_created (i int)"));
    assertThat(client.trace("Z", 1)).isEqualTo("R " + EXPECTED_SASL_RESPONSE + "81] EOF");
    assertThat(rig.server().column("SELECT relname FROM pg_class WHERE relname = 'never_created'"))
        .isEmpty();
  }

  private static void createUsers(Rig rig) {
    rig.server().createRole("weak", "'weak secret'", "scram-sha-256");
    rig.server().createRole("boss", "'boss secret'", "scram-sha-256");
    rig.user("weak", "weak secret").user("boss", "boss secret");
  }

  private static List<String> sessionsOf(Rig rig, String user) {
    return rig.server().column("SELECT pid FROM pg_stat_activity WHERE usename = '" + user + "'");
  }
}
