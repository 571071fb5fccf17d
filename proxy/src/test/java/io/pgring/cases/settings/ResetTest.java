package io.pgring.cases.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.WireClient;
import org.junit.jupiter.api.Timeout;

/**
 * RESET of a startup parameter that PostgreSQL does not report goes back to the value of the
 * client's startup packet, and never changes what another client has.
 */
@Timeout(60)
class ResetTest {
  private static final Login OWN = Login.APP.with("work_mem", "5MB");

  private static String run(WireClient client, QueryProtocol protocol, String sql) {
    client.send(protocol.request(sql));
    return client.trace();
  }

  private static void assertWorkMem(WireClient client, QueryProtocol protocol, String value) {
    assertThat(run(client, protocol, "SHOW work_mem")).contains("D('" + value + "',)");
  }

  @ProxyTest
  void takesAStartupParameterToTheClientsValue(Rig rig) {
    WireClient one = rig.poolSize(1).client(OWN);
    WireClient alike = rig.client(OWN);
    WireClient plain = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      for (String reset : new String[] {"RESET work_mem", "RESET ALL", "DISCARD ALL"}) {
        run(one, protocol, reset);
        assertWorkMem(one, protocol, "5MB");
        run(one, protocol, reset);
        assertWorkMem(alike, protocol, "5MB");
        run(one, protocol, reset);
        assertWorkMem(plain, protocol, "4MB");
        assertWorkMem(one, protocol, "5MB");
      }
    }
  }

  @ProxyTest
  void thatIsRolledBackLeaksToNobody(Rig rig) {
    WireClient one = rig.poolSize(1).client(OWN);
    WireClient plain = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      for (String end : new String[] {"COMMIT", "ROLLBACK"}) {
        run(one, protocol, "BEGIN");
        run(one, protocol, "RESET work_mem");
        run(one, protocol, end);
        assertWorkMem(plain, protocol, "4MB");
        assertWorkMem(one, protocol, "5MB");
      }
    }
  }

  @ProxyTest
  void ofSomethingElseLeavesWhatWasSet(Rig rig) {
    WireClient one = rig.poolSize(2).client(OWN);
    for (QueryProtocol protocol : QueryProtocol.values()) {
      run(one, protocol, "SET work_mem = '6MB'");
      run(one, protocol, "RESET statement_timeout");
      assertWorkMem(one, protocol, "6MB");
      run(one, protocol, "RESET ALL");
      assertWorkMem(one, protocol, "5MB");
    }
  }
}
