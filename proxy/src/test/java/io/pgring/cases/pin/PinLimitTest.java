package io.pgring.cases.pin;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.Reply;
import io.pgring.testkit.wire.WireClient;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Where clients may not keep server connections, or not so many: they are told so, and why. */
@Timeout(60)
class PinLimitTest {
  private static final String[] PINNING = {
    "LISTEN a",
    "CREATE TEMP TABLE refused (a int)",
    "SELECT pg_advisory_lock(1)",
    "PREPARE p AS SELECT 1",
    "SET work_mem = '1MB'",
    "SET ROLE app",
    "LOAD 'plpgsql'"
  };

  private static String run(WireClient client, QueryProtocol protocol, String sql) {
    client.send(protocol.request(sql));
    return client.trace();
  }

  private static void refusesAll(Rig rig, String state) {
    WireClient client = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      for (String sql : PINNING) {
        assertThat(run(client, protocol, sql)).as(sql).contains("E[ERROR " + state).endsWith(" ZI");
        assertThat(run(client, protocol, "SELECT 1")).contains("D('1',) C[SELECT 1] ZI");
      }
    }
    assertThat(rig.server().column("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).isEmpty();
  }

  @ProxyTest(direct = false, compare = false)
  void rejectsWhatPins(Rig rig) {
    refusesAll(rig.database(ConfigKey.ON_SESSION_FEATURE, "reject"), "0A000");
  }

  @ProxyTest(direct = false, compare = false)
  void statementPoolingRefusesWhatPins(Rig rig) {
    refusesAll(rig.database(ConfigKey.POOL_MODE, "statement"), "0A000");
  }

  @ProxyTest(direct = false, compare = false)
  void aLimitOfNoneRefusesWhatPins(Rig rig) {
    refusesAll(rig.database(ConfigKey.PINNED_LIMIT, "0"), "53300");
  }

  @ProxyTest(direct = false, compare = false)
  void aRefusalFailsTheTransaction(Rig rig) {
    WireClient client = rig.database(ConfigKey.ON_SESSION_FEATURE, "reject").client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      client.query("BEGIN");
      assertThat(run(client, protocol, "LISTEN a")).contains("E[ERROR 0A000").endsWith(" ZE");
      assertThat(run(client, protocol, "SELECT 1")).contains("25P02").endsWith(" ZE");
      assertThat(client.query("ROLLBACK")).isEqualTo("C[ROLLBACK] ZI");
    }
    client.send(
        parse("", "SELECT 1"),
        bind(),
        execute(),
        parse("", "LISTEN a"),
        bind(),
        execute(),
        parse("", "SELECT 2"),
        bind(),
        execute(),
        sync());
    assertThat(client.trace())
        .startsWith("1 2 D('1',) C[SELECT 1] 1 2 E[ERROR 0A000")
        .endsWith("ZI");
  }

  @ProxyTest(direct = false, compare = false)
  void oneConnectionOfThePoolIsLeftToTheOthers(Rig rig) {
    rig.poolSize(3);
    WireClient first = rig.client();
    WireClient second = rig.client();
    WireClient third = rig.client();
    first.query("LISTEN a");
    second.query("CREATE TEMP TABLE b (a int)");
    third.send(QueryProtocol.SIMPLE.request("SELECT pg_advisory_lock(1)"));
    List<Reply> refused = third.until("Z");
    Reply error = refused.get(0);
    assertThat(error.fields())
        .containsEntry('C', "53300")
        .containsEntry('M', "too many pinned server connections: pinned_limit is 2");
    assertThat(error.fields().get('H')).contains("session advisory lock", "SHOW PINS");
    assertThat(third.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");

    // Those who are pinned may leave more behind; a place is free once one of them has undone it.
    assertThat(first.query("CREATE TEMP TABLE c (a int)")).isEqualTo("C[CREATE TABLE] ZI");
    second.query("DISCARD ALL");
    assertThat(third.query("SELECT pg_advisory_lock(1)")).isEqualTo("T D('',) C[SELECT 1] ZI");
    first.close();
    Rig.eventually("a place is free", () -> second.query("LISTEN a").equals("C[LISTEN] ZI"));
  }

  @ProxyTest(direct = false, compare = false)
  void whoWaitsInVainIsToldOfPins(Rig rig) {
    rig.option(ConfigKey.QUERY_WAIT_TIMEOUT_S, "0.3");
    WireClient pinned = rig.poolSize(1).client();
    WireClient other = rig.client();
    pinned.query("LISTEN a");
    other.send(QueryProtocol.SIMPLE.request("SELECT 1"));
    Reply error = other.until("Z").get(0);
    assertThat(error.fields()).containsEntry('C', "53300").containsEntry('M', "query_wait_timeout");
    assertThat(error.fields().get('H')).contains("1 of them pinned", "SHOW PINS");
  }

  /** An idle client is an idle client, whatever it holds; but waiting is what a listener is for. */
  @ProxyTest(direct = false, compare = false)
  void idlenessIsTimedButForListeners(Rig rig) {
    rig.option(ConfigKey.CLIENT_IDLE_TIMEOUT_S, "0.5")
        .option(ConfigKey.IDLE_TRANSACTION_TIMEOUT_S, "0.2");
    WireClient listener = rig.client();
    WireClient holder = rig.client();
    listener.query("LISTEN a");
    assertThat(listener.query("SET work_mem = '1MB'")).isEqualTo("C[SET] ZI");
    holder.query("SET work_mem = '1MB'");
    assertThat(holder.trace("E", 1)).contains("57P05");
    Rig.pause(java.time.Duration.ofMillis(300));
    assertThat(listener.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
  }
}
