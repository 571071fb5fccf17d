package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.copyData;
import static io.pgring.testkit.wire.FrontendMessages.copyDone;
import static io.pgring.testkit.wire.FrontendMessages.describePortal;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.flush;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import org.junit.jupiter.api.Timeout;

/**
 * COPY in the extended protocol. A server in copy-in mode ignores Sync, so the number of
 * ReadyForQuery depends on what became of the COPY.
 */
@Timeout(30)
class CopyTest {
  @ProxyTest
  void copyInWithASyncBehindExecute(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(parse("", "COPY copied FROM STDIN"), bind(), describePortal(""), execute(), sync());
    assertThat(client.trace("G", 1)).isEqualTo("1 2 n G");
    client.send(copyData("1\tx\n"), copyData("2\ty\n"), copyDone(), sync());
    assertThat(client.trace()).isEqualTo("C[COPY 2] ZI");
    assertServerIsFree(rig);
  }

  @ProxyTest
  void copyInSentAtOnce(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(
        extended("COPY copied FROM STDIN"),
        sync(),
        copyData("1\tx\n2\t"),
        copyData("y\n"),
        copyDone(),
        sync(),
        query("SELECT count(*) FROM copied"));
    assertThat(client.trace("Z", 2)).isEqualTo("1 2 G C[COPY 2] ZI T D('2',) C[SELECT 1] ZI");
    assertServerIsFree(rig);
  }

  @ProxyTest
  void simpleCopyInSentAtOnce(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(
        query("COPY copied FROM STDIN"),
        copyData("1\tx\n"),
        flush(),
        sync(),
        copyData("2\ty\n"),
        copyDone(),
        query("SELECT count(*) FROM copied"));
    assertThat(client.trace("Z", 2)).isEqualTo("G C[COPY 2] ZI T D('2',) C[SELECT 1] ZI");
    assertServerIsFree(rig);
  }

  @ProxyTest
  void bothSyncsCountWhenCopyFailsBeforeCopyMode(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(extended("COPY absent FROM STDIN"), sync(), copyData("1\n"), copyDone(), sync());
    assertThat(client.trace("Z", 2))
        .isEqualTo("1 2 E[ERROR 42P01 relation \"absent\" does not exist] ZI ZI");
    assertServerIsFree(rig);
  }

  @ProxyTest
  void copyOutWithFlush(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(
        parse("", "COPY (SELECT 1 UNION ALL SELECT 2) TO STDOUT"),
        bind(),
        describePortal(""),
        execute(),
        flush());
    assertThat(client.trace("C", 1)).isEqualTo("1 2 n H d d c C[COPY 2]");
    client.send(sync());
    assertThat(client.trace()).isEqualTo("ZI");
    assertServerIsFree(rig);
  }

  /** Two COPY in one Query message enter copy mode twice. */
  @ProxyTest
  void twoCopiesInOneQuery(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(query("COPY copied FROM STDIN; SELECT 1; COPY copied FROM STDIN"));
    assertThat(client.trace("G", 1)).isEqualTo("G");
    client.send(copyData("1\tx\n"), copyDone());
    assertThat(client.trace("G", 1)).isEqualTo("C[COPY 1] T D('1',) C[SELECT 1] G");
    client.send(copyData("2\ty\n"), copyDone());
    assertThat(client.trace()).isEqualTo("C[COPY 1] ZI");
    assertServerIsFree(rig);
  }

  private static WireClient clientWithTable(Rig rig) {
    rig.server().createTable("copied", "i int PRIMARY KEY, t text");
    return rig.poolSize(1).client();
  }

  private static void assertServerIsFree(Rig rig) {
    assertThat(rig.client().query("SELECT 99")).isEqualTo("T D('99',) C[SELECT 1] ZI");
  }
}
