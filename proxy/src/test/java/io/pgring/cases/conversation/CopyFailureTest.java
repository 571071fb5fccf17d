package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.copyData;
import static io.pgring.testkit.wire.FrontendMessages.copyDone;
import static io.pgring.testkit.wire.FrontendMessages.copyFail;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import org.junit.jupiter.api.Timeout;

/**
 * A COPY that fails while the client still sends rows: what arrives late is dropped, and the server
 * connection is free again.
 */
@Timeout(30)
class CopyFailureTest {
  private static final String BAD_INTEGER =
      "E[ERROR 22P02 invalid input syntax for type integer: \"oops\"]";

  @ProxyTest
  void lateRowsAreDropped(Rig rig) {
    WireClient client = clientWithTable(rig);
    for (int round = 0; round < 5; round++) {
      client.send(query("COPY failed FROM STDIN"));
      assertThat(client.trace("G", 1)).isEqualTo("G");
      client.send(copyData("oops\tz\n"), rows(300));
      assertThat(client.trace()).isEqualTo(BAD_INTEGER + " ZI");
      client.send(copyData("500\tz\n"), copyDone(), query("SELECT 77"));
      assertThat(client.trace()).isEqualTo("T D('77',) C[SELECT 1] ZI");
    }
    assertServerIsFreeAndTableEmpty(rig);
  }

  @ProxyTest
  void lateRowsInTheExtendedProtocolInsideATransaction(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.query("BEGIN");
    client.send(extended("COPY failed FROM STDIN"), sync());
    assertThat(client.trace("G", 1)).isEqualTo("1 2 G");
    client.send(copyData("oops\tz\n"), copyData("6\tz\n"), copyDone(), sync());
    assertThat(client.trace()).isEqualTo(BAD_INTEGER + " ZE");
    assertThat(client.query("ROLLBACK")).isEqualTo("C[ROLLBACK] ZI");
    assertServerIsFreeAndTableEmpty(rig);
  }

  @ProxyTest
  void theClientGivesUp(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(query("COPY failed FROM STDIN"));
    client.until("G");
    client.send(copyData("7\tz\n"), copyFail("gave up"));
    assertThat(client.trace()).isEqualTo("E[ERROR 57014 COPY from stdin failed: gave up] ZI");
    client.send(extended("COPY failed FROM STDIN"), sync());
    client.until("G");
    client.send(copyData("7\tz\n"), copyFail("again"), sync());
    assertThat(client.trace()).isEqualTo("E[ERROR 57014 COPY from stdin failed: again] ZI");
    assertServerIsFreeAndTableEmpty(rig);
  }

  /** A message that does not belong into copy mode fails the COPY. */
  @ProxyTest
  void aQueryInTheMiddle(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(query("COPY failed FROM STDIN"));
    client.until("G");
    client.send(copyData("8\tz\n"), query("SELECT 1"));
    assertThat(client.trace("ZE", 2)).contains("08P01");
  }

  private static WireClient clientWithTable(Rig rig) {
    rig.server().createTable("failed", "i int PRIMARY KEY, t text");
    return rig.poolSize(1).client();
  }

  private static byte[] rows(int count) {
    byte[][] rows = new byte[count][];
    for (int i = 0; i < count; i++) {
      rows[i] = copyData(i + "\tz\n");
    }
    return concat(rows);
  }

  private static void assertServerIsFreeAndTableEmpty(Rig rig) {
    assertThat(rig.client().query("SELECT count(*) FROM failed"))
        .isEqualTo("T D('0',) C[SELECT 1] ZI");
  }
}
