package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.Reply;
import io.pgring.testkit.wire.Trace;
import io.pgring.testkit.wire.WireClient;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Ends of sessions in the middle of long answers. */
@Timeout(60)
class TerminatedCopyTest {
  /** Several rows leave the server at once; then it sleeps. */
  private static final String ROWS_THEN_SLEEP =
      "SELECT repeat('x', 20000) FROM generate_series(1, 20)"
          + " UNION ALL SELECT pg_sleep(60)::text";

  @ProxyTest(compare = false)
  void copyOutEndsWithTheErrorOfTheServer(Rig rig) {
    assertToldWhy(rig, "COPY (" + ROWS_THEN_SLEEP + ") TO STDOUT");
  }

  @ProxyTest(compare = false)
  void aResultEndsWithTheErrorOfTheServer(Rig rig) {
    assertToldWhy(rig, ROWS_THEN_SLEEP);
  }

  private static void assertToldWhy(Rig rig, String sql) {
    for (QueryProtocol protocol : QueryProtocol.values()) {
      WireClient client = rig.client();
      client.send(protocol.request(sql));
      client.until("dD", 10);
      rig.server()
          .execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE usename = 'app' AND state = 'active'");
      List<Reply> rest = client.until("E");
      assertThat(Trace.show(rest.subList(rest.size() - 1, rest.size())))
          .contains("FATAL 57P01 terminating connection due to administrator command");
      assertThat(client.read().type()).isEqualTo(Reply.END);
      client.close();
    }
  }

  /** It takes nothing of a long answer: its session ends, and the server connection is free. */
  @ProxyTest(direct = false, compare = false)
  void aClientThatTakesNothingIsDisconnected(Rig rig) {
    rig.poolSize(1).option(ConfigKey.CLIENT_WRITE_TIMEOUT_S, "0.5");
    WireClient stalled = rig.client();
    WireClient next = rig.client();
    stalled.send(query("SELECT repeat('x', 1000) FROM generate_series(1, 100000)"));
    stalled.until("T");
    assertThat(next.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
    List<Reply> rest = stalled.until("C");
    assertThat(rest.get(rest.size() - 1).type()).isEqualTo(Reply.END);
  }
}
