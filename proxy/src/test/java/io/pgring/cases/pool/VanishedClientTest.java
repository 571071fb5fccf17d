package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.int32;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.terminate;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that go away inside a transaction. Their query is ended, their transaction rolled back,
 * and the only server connection serves the next client.
 */
@Timeout(30)
class VanishedClientTest {
  @ProxyTest(direct = false, compare = false)
  void closesWhileItsQueryRuns(Rig rig) {
    assertCleanedUp(rig, true, WireClient::close);
  }

  @ProxyTest(direct = false, compare = false)
  void resetsWhileItsQueryRuns(Rig rig) {
    assertCleanedUp(rig, true, WireClient::abort);
  }

  @ProxyTest(direct = false, compare = false)
  void terminatesInsideATransaction(Rig rig) {
    assertCleanedUp(rig, false, client -> client.send(terminate()));
  }

  @ProxyTest(direct = false, compare = false)
  void closesInTheMiddleOfAMessage(Rig rig) {
    assertCleanedUp(
        rig,
        true,
        client -> {
          client.send(new byte[] {'Q'}, int32(50), new byte[] {'s', 'e', 'l'});
          client.close();
        });
  }

  @ProxyTest(direct = false, compare = false)
  void closesWhileItWaitsForAServer(Rig rig) {
    rig.server().createTable("vanished", "i int");
    WireClient holder = rig.poolSize(1).client();
    holder.query("BEGIN");
    WireClient waiter = rig.client();
    waiter.send(QueryProtocol.SIMPLE.request("INSERT INTO vanished VALUES (1)"));
    assertThat(waiter.silentFor(Duration.ofMillis(100))).isTrue();
    waiter.close();
    assertThat(holder.query("SELECT pg_sleep(0.1)")).endsWith("ZT");
    assertThat(holder.query("COMMIT")).isEqualTo("C[COMMIT] ZI");
    assertThat(rig.client().scalar("SELECT count(*) FROM vanished")).isEqualTo("0");
  }

  /**
   * Behind an error in the extended protocol the server drops all but a Sync, which never comes.
   */
  @ProxyTest(direct = false, compare = false)
  void terminatesBeforeAnErrorThatIsNotSynced(Rig rig) {
    rig.poolSize(1);
    for (byte[] first : List.of(query("BEGIN"), query("SELECT 1"))) {
      WireClient client = rig.client();
      client.send(first, bind("", "absent"), query("SELECT 2"), terminate());
      assertThat(rig.client().query("SELECT 3")).isEqualTo("T D('3',) C[SELECT 1] ZI");
      Rig.eventually("nothing of it is left", () -> count(rig, "state <> 'idle'") == 0);
    }
  }

  private static void assertCleanedUp(Rig rig, boolean querying, Consumer<WireClient> end) {
    rig.server().createTable("vanished", "i int");
    rig.poolSize(1);
    for (QueryProtocol protocol : QueryProtocol.values()) {
      WireClient client = rig.client();
      client.query("BEGIN");
      client.query("INSERT INTO vanished VALUES (1)");
      if (querying) {
        client.send(protocol.request("SELECT pg_sleep(60)"));
        Rig.eventually("the query runs", () -> count(rig, "query LIKE '%pg_sleep%'") == 1);
      }
      end.accept(client);
      assertThat(rig.client().query("SELECT count(*) FROM vanished"))
          .isEqualTo("T D('0',) C[SELECT 1] ZI");
      Rig.eventually("nothing of it is left", () -> count(rig, "state <> 'idle'") == 0);
    }
  }

  private static long count(Rig rig, String condition) {
    return Long.parseLong(
        rig.server()
            .scalar(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app' AND " + condition));
  }
}
