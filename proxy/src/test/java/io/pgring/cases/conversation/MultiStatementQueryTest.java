package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/** Several statements in one Query message, and the transaction status they leave behind. */
@Timeout(30)
class MultiStatementQueryTest {
  private static final String DIVISION = "E[ERROR 22012 division by zero]";

  /** Statements in one message, then their trace; in this order, on one table. */
  private static final String[][] STEPS = {
    {
      "INSERT INTO many VALUES (1); SELECT 1/0; INSERT INTO many VALUES (2)",
      "C[INSERT 0 1] " + DIVISION + " ZI"
    },
    {
      "BEGIN; INSERT INTO many VALUES (3); COMMIT; INSERT INTO many VALUES (4); SELECT 1/0",
      "C[BEGIN] C[INSERT 0 1] C[COMMIT] C[INSERT 0 1] " + DIVISION + " ZI"
    },
    {"SELECT array_agg(i) FROM many", "T D('{3}',) C[SELECT 1] ZI"},
    {
      "INSERT INTO many VALUES (6); ROLLBACK; INSERT INTO many VALUES (7)",
      "C[INSERT 0 1] N[WARNING 25P01 there is no transaction in progress] C[ROLLBACK]"
          + " C[INSERT 0 1] ZI"
    },
    {"SELECT array_agg(i) FROM many", "T D('{3,7}',) C[SELECT 1] ZI"},
    {
      "SELECT 1; VACUUM many",
      "T D('1',) C[SELECT 1] E[ERROR 25001 VACUUM cannot run inside a transaction block] ZI"
    },
    {"SELECT 1; SELEC 2", "E[ERROR 42601 syntax error at or near \"SELEC\"] ZI"},
    {
      "BEGIN; SELECT 1; COMMIT; SELECT 2",
      "C[BEGIN] T D('1',) C[SELECT 1] C[COMMIT] T D('2',) C[SELECT 1] ZI"
    },
    {"SELECT 1; BEGIN; SELECT 2", "T D('1',) C[SELECT 1] C[BEGIN] T D('2',) C[SELECT 1] ZT"},
    {"COMMIT; BEGIN", "C[COMMIT] C[BEGIN] ZT"},
    {"ROLLBACK AND CHAIN", "C[ROLLBACK] ZT"},
    {"COMMIT; SELECT 'BEGIN'", "C[COMMIT] T D('BEGIN',) C[SELECT 1] ZI"},
  };

  @ProxyTest
  void statusFollowsWhatTheServerDid(Rig rig) {
    rig.server().createTable("many", "i int");
    WireClient client = rig.poolSize(1).client();
    for (String[] step : STEPS) {
      assertThat(client.query(step[0])).as(step[0]).isEqualTo(step[1]);
    }
  }

  @ProxyTest
  void aFailedBlockKeepsItsServer(Rig rig) {
    WireClient client = rig.poolSize(1).client();
    WireClient other = rig.client();
    assertThat(client.query("BEGIN; SELECT 1/0; COMMIT")).isEqualTo("C[BEGIN] " + DIVISION + " ZE");
    other.send(query("SELECT 42"));
    if (!rig.direct()) {
      assertThat(other.silentFor(Duration.ofMillis(200))).as("waits for the server").isTrue();
    }
    assertThat(client.query("SELECT 1"))
        .isEqualTo(
            "E[ERROR 25P02 current transaction is aborted,"
                + " commands ignored until end of transaction block] ZE");
    assertThat(client.query("ROLLBACK")).isEqualTo("C[ROLLBACK] ZI");
    assertThat(other.trace()).isEqualTo("T D('42',) C[SELECT 1] ZI");
  }
}
