package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.flush;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static io.pgring.testkit.wire.FrontendMessages.terminate;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import org.junit.jupiter.api.Timeout;

/** What lies between two Syncs is one transaction, and only a Sync ends it. */
@Timeout(30)
class ImplicitTransactionTest {
  private static final byte[] FAILING = extended("SELECT 1/0");

  @ProxyTest
  void anErrorUndoesEverythingSinceTheLastSync(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(insert(1), insert(2), FAILING, insert(3), sync());
    assertThat(client.trace())
        .isEqualTo("1 2 C[INSERT 0 1] 1 2 C[INSERT 0 1] 1 E[ERROR 22012 division by zero] ZI");
    assertThat(client.scalar("SELECT count(*) FROM implicit")).isEqualTo("0");
  }

  @ProxyTest
  void eachSyncEndsATransactionOfItsOwn(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(insert(1), sync(), FAILING, sync(), insert(3), sync());
    assertThat(client.trace("Z", 3))
        .isEqualTo(
            "1 2 C[INSERT 0 1] ZI 1 E[ERROR 22012 division by zero] ZI 1 2 C[INSERT 0 1] ZI");
    assertThat(client.scalar("SELECT count(*) FROM implicit")).isEqualTo("2");
  }

  @ProxyTest
  void syncsWithoutWorkAreAnsweredOneByOne(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(sync(), sync(), FAILING, FAILING, sync(), sync());
    assertThat(client.trace("Z", 4)).isEqualTo("ZI ZI 1 E[ERROR 22012 division by zero] ZI ZI");
  }

  @ProxyTest(compare = false)
  void aUnitWithoutASyncIsNeverCommitted(Rig rig) {
    WireClient client = clientWithTable(rig);
    for (byte[] end : new byte[][] {new byte[0], flush(), terminate()}) {
      WireClient leaving = rig.client();
      leaving.send(insert(1), end);
      leaving.close();
    }
    Rig.eventually(
        "nobody is in a transaction",
        () ->
            rig.server()
                .scalar(
                    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'"
                        + " AND state <> 'idle'")
                .equals("0"));
    assertThat(client.scalar("SELECT count(*) FROM implicit")).isEqualTo("0");
  }

  @ProxyTest
  void whatFollowsAnErrorIsSkippedWhateverItIs(Rig rig) {
    WireClient client = clientWithTable(rig);
    client.send(parse("", "COPY nowhere FROM STDIN"), bind(), execute(), flush());
    assertThat(client.trace("E", 1)).startsWith("1 2 E[ERROR 42P01");
    client.send(execute(), query("COPY implicit FROM STDIN"), execute(), sync());
    assertThat(client.trace()).isEqualTo("ZI");
    assertThat(client.scalar("SELECT count(*) FROM implicit")).isEqualTo("0");
  }

  private static WireClient clientWithTable(Rig rig) {
    rig.server().createTable("implicit", "i int");
    return rig.client();
  }

  private static byte[] insert(int value) {
    return extended("INSERT INTO implicit VALUES (" + value + ")");
  }
}
