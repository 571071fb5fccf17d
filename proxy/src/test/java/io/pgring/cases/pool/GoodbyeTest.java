package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.terminate;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that say goodbye behind requests that have not been answered: as on a direct connection,
 * the requests are done.
 */
@Timeout(60)
class GoodbyeTest {
  @ProxyTest
  void whileItsRequestsWaitForAServer(Rig rig) {
    rig.server().createTable("goodbye", "i int");
    rig.poolSize(1);
    for (QueryProtocol protocol : QueryProtocol.values()) {
      WireClient holder = rig.client();
      holder.query("BEGIN");
      leave(
          rig,
          concat(
              protocol.request("INSERT INTO goodbye VALUES (1)"),
              protocol.request("INSERT INTO goodbye VALUES (2)")));
      Rig.pause(Duration.ofMillis(100));
      holder.query("COMMIT");
      Rig.eventually("both are there", () -> rows(rig).equals("2"));
      rig.server().execute("DELETE FROM goodbye");
    }
  }

  /** The socket stays open: PostgreSQL gives up where it cannot write an answer. */
  @ProxyTest
  void behindTheEndOfItsTransaction(Rig rig) {
    rig.server().createTable("goodbye", "i int");
    rig.poolSize(1);
    for (QueryProtocol protocol : QueryProtocol.values()) {
      WireClient client = rig.client();
      client.query("BEGIN");
      client.send(
          protocol.request("SELECT pg_sleep(0.2)"),
          protocol.request("INSERT INTO goodbye VALUES (1)"),
          protocol.request("COMMIT"),
          terminate());
      Rig.eventually("it is there", () -> rows(rig).equals("1"));
      rig.server().execute("DELETE FROM goodbye");
    }
  }

  @ProxyTest
  void insideATransaction(Rig rig) {
    rig.server().createTable("goodbye", "i int");
    rig.poolSize(1);
    for (QueryProtocol protocol : QueryProtocol.values()) {
      WireClient client = rig.client();
      client.query("BEGIN");
      client.send(
          protocol.request("INSERT INTO goodbye VALUES (1)"),
          protocol.request("SELECT pg_sleep(0.2)"),
          terminate());
      client.close();
      WireClient next = rig.client();
      assertThat(next.query("SELECT count(*) FROM goodbye")).isEqualTo("T D('0',) C[SELECT 1] ZI");
      next.close();
    }
  }

  /** The reset query of a session that has ended fails: nobody else gets its connection. */
  @ProxyTest(direct = false, compare = false)
  void theResetQueryFails(Rig rig) {
    rig.poolSize(1)
        .database(ConfigKey.POOL_MODE, "session")
        .option(ConfigKey.SERVER_RESET_QUERY, "SELECT 1 / 0");
    WireClient client = rig.client();
    String pid = client.scalar("SELECT pg_backend_pid()");
    client.send(terminate());
    client.close();
    assertThat(rig.client().scalar("SELECT pg_backend_pid()")).isNotEqualTo(pid);
  }

  private static void leave(Rig rig, byte[] requests) {
    WireClient client = rig.client();
    client.send(requests, terminate());
    client.close();
  }

  private static String rows(Rig rig) {
    return rig.server().scalar("SELECT count(*) FROM goodbye");
  }
}
