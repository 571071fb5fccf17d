package io.pgring.cases.pin;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.QueryProtocol;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/**
 * Features of a session that only its own server connection can offer, used through transaction
 * pooling while others use the pool: all as on a direct connection.
 */
@Timeout(60)
class SessionFeatureTest {
  /** Makes each other client take its turn on what is free, and so the place of what is not. */
  private static void traffic(WireClient other) {
    for (int i = 0; i < 5; i++) {
      assertThat(other.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
    }
  }

  private static String run(WireClient client, QueryProtocol protocol, String sql) {
    client.send(protocol.request(sql));
    return client.trace();
  }

  @ProxyTest(compare = false)
  void notificationsReachAnIdleClientAtOnce(Rig rig) {
    for (QueryProtocol protocol : QueryProtocol.values()) {
      WireClient listener = rig.bystander();
      WireClient other = rig.bystander();
      assertThat(run(listener, protocol, "LISTEN news")).endsWith("C[LISTEN] ZI");
      traffic(other);
      rig.server().execute("NOTIFY news, 'from outside'");
      assertThat(listener.trace("A", 1)).isEqualTo("A[news:from outside]");
      assertThat(other.query("NOTIFY news, 'from a client'")).isEqualTo("C[NOTIFY] ZI");
      assertThat(listener.trace("A", 1)).isEqualTo("A[news:from a client]");
      assertThat(other.silentFor(Duration.ofMillis(50))).isTrue();
      listener.close();
      other.close();
    }
  }

  @ProxyTest(compare = false)
  void nobodyListensAfterTheListenerHasLeft(Rig rig) {
    rig.poolSize(2);
    WireClient listener = rig.client();
    listener.query("LISTEN left");
    listener.close();
    for (int i = 0; i < 4; i++) {
      WireClient next = rig.client();
      Rig.eventually(
          "a clean connection",
          () -> next.query("SELECT * FROM pg_listening_channels()").equals("T C[SELECT 0] ZI"));
    }
  }

  @ProxyTest
  void aTemporaryTableIsThereInTheNextTransaction(Rig rig) {
    WireClient owner = rig.client();
    WireClient other = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      run(owner, protocol, "CREATE TEMP TABLE mine (a int)");
      traffic(other);
      assertThat(run(owner, protocol, "INSERT INTO mine VALUES (7)")).endsWith("C[INSERT 0 1] ZI");
      traffic(other);
      assertThat(run(owner, protocol, "SELECT a FROM mine")).contains("D('7',)");
      assertThat(run(other, protocol, "SELECT to_regclass('mine')")).contains("D(None,)");
      assertThat(run(owner, protocol, "DISCARD TEMP")).endsWith("C[DISCARD TEMP] ZI");
      assertThat(run(owner, protocol, "SELECT to_regclass('mine')")).contains("D(None,)");
    }
  }

  @ProxyTest
  void anAdvisoryLockIsReleasedByWhoHoldsIt(Rig rig) {
    WireClient holder = rig.poolSize(3).client();
    WireClient other = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      run(holder, protocol, "SELECT pg_advisory_lock(42)");
      traffic(other);
      assertThat(run(other, protocol, "SELECT pg_try_advisory_lock(42)")).contains("D('f',)");
      run(other, protocol, "SELECT pg_advisory_unlock_all()");
      assertThat(run(holder, protocol, "SELECT pg_advisory_unlock(42)")).contains("D('t',)");
      assertThat(run(other, protocol, "SELECT pg_try_advisory_lock(42)")).contains("D('t',)");
      run(other, protocol, "SELECT pg_advisory_unlock_all()");
      run(holder, protocol, "SELECT pg_advisory_unlock_all()");
    }
  }

  @ProxyTest(compare = false)
  void anAdvisoryLockEndsWithItsClient(Rig rig) {
    WireClient holder = rig.poolSize(3).client();
    holder.query("BEGIN");
    holder.query("SELECT pg_advisory_lock(43)");
    // Survives the transaction that took it.
    holder.query("ROLLBACK");
    assertThat(rig.client().query("SELECT pg_try_advisory_lock(43)")).contains("D('f',)");
    holder.abort();
    WireClient next = rig.client();
    Rig.eventually(
        "the lock is free",
        () -> next.query("SELECT pg_try_advisory_xact_lock(43)").contains("D('t',)"));
  }

  @ProxyTest(compare = false)
  void aLockSurvivesTheErrorBehindIt(Rig rig) {
    WireClient holder = rig.client();
    assertThat(holder.query("SELECT pg_advisory_lock(44), 1 / (0 * random())::int"))
        .contains("22012");
    traffic(rig.client());
    assertThat(holder.query("SELECT pg_advisory_unlock(44)")).contains("D('t',)");
  }

  @ProxyTest
  void aCursorWithHoldOutlivesItsTransaction(Rig rig) {
    WireClient reader = rig.client();
    WireClient other = rig.client();
    reader.query("BEGIN; DECLARE hc CURSOR WITH HOLD FOR SELECT generate_series(1, 3); COMMIT");
    traffic(other);
    assertThat(reader.query("FETCH 1 hc")).isEqualTo("T D('1',) C[FETCH 1] ZI");
    traffic(other);
    assertThat(reader.query("FETCH 1 hc")).isEqualTo("T D('2',) C[FETCH 1] ZI");
    assertThat(other.query("FETCH 1 hc")).contains("34000");
    reader.query("CLOSE ALL");
    assertThat(reader.query("FETCH 1 hc")).contains("34000");
  }

  @ProxyTest
  void aPreparedStatementOfSqlIsExecutedWhereItWasPrepared(Rig rig) {
    WireClient owner = rig.client();
    WireClient other = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      run(owner, protocol, "PREPARE twice (int) AS SELECT 2 * $1");
      traffic(other);
      assertThat(run(owner, protocol, "EXECUTE twice (21)")).contains("D('42',)");
      assertThat(run(other, protocol, "EXECUTE twice (21)")).contains("26000");
      assertThat(run(owner, protocol, "DEALLOCATE ALL")).endsWith("C[DEALLOCATE ALL] ZI");
      assertThat(run(owner, protocol, "EXECUTE twice (21)")).contains("26000");
    }
  }

  @ProxyTest
  void aSettingStaysWithItsClient(Rig rig) {
    WireClient own = rig.client();
    WireClient other = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      run(own, protocol, "SET search_path = pg_catalog");
      traffic(other);
      assertThat(run(own, protocol, "SHOW search_path")).contains("D('pg_catalog',)");
      assertThat(run(other, protocol, "SHOW search_path")).contains("D('\"$user\", public',)");
      run(own, protocol, "RESET ALL");
      run(own, protocol, "SELECT set_config('search_path', '', false)");
      traffic(other);
      assertThat(run(own, protocol, "SHOW search_path")).contains("D('',)");
      assertThat(run(other, protocol, "SHOW search_path")).contains("D('\"$user\", public',)");
      run(own, protocol, "RESET ALL");
    }
  }

  @ProxyTest
  void aNamedStatementPinsWhenItIsExecuted(Rig rig) {
    WireClient own = rig.client();
    WireClient other = rig.client();
    own.send(parse("lock", "SELECT pg_advisory_lock($1)"), sync());
    own.trace();
    traffic(other);
    own.send(bind("", "lock", 45), execute(), sync());
    assertThat(own.trace()).isEqualTo("2 D('',) C[SELECT 1] ZI");
    traffic(other);
    assertThat(own.query("SELECT pg_advisory_unlock(45)")).contains("D('t',)");
    own.send(bind("", "lock", 46), bind("p", "lock", 47), execute("p", 0), sync());
    own.trace();
    traffic(other);
    assertThat(own.query("SELECT pg_advisory_unlock(47)")).contains("D('t',)");
  }

  @ProxyTest
  void whatIsRolledBackIsNotThere(Rig rig) {
    WireClient own = rig.client();
    for (String end : new String[] {"ROLLBACK", "COMMIT"}) {
      own.query("BEGIN");
      own.query("CREATE TEMP TABLE tried (a int)");
      own.query(end);
      traffic(rig.client());
      own.query("SELECT to_regclass('tried')");
    }
    own.query("DISCARD ALL");
  }

  @ProxyTest
  void theValueOfASequenceIsKnownInItsTransaction(Rig rig) {
    rig.server().execute("DROP SEQUENCE IF EXISTS counted", "CREATE SEQUENCE counted");
    rig.server().execute("ALTER SEQUENCE counted OWNER TO app");
    WireClient own = rig.client();
    for (QueryProtocol protocol : QueryProtocol.values()) {
      own.query("BEGIN");
      run(own, protocol, "SELECT nextval('counted')");
      traffic(rig.client());
      run(own, protocol, "SELECT currval('counted')");
      own.query("COMMIT");
      own.query("SELECT nextval('counted'); SELECT currval('counted'), lastval()");
    }
  }

  @ProxyTest(direct = false, compare = false)
  void theValueOfASequenceIsNeverThatOfAnother(Rig rig) {
    rig.server().execute("DROP SEQUENCE IF EXISTS counted", "CREATE SEQUENCE counted");
    rig.server().execute("ALTER SEQUENCE counted OWNER TO app");
    WireClient own = rig.poolSize(1).client();
    rig.client().query("SELECT nextval('counted')");
    for (QueryProtocol protocol : QueryProtocol.values()) {
      run(own, protocol, "SELECT nextval('counted')");
      rig.client().query("SELECT nextval('counted')");
      assertThat(run(own, protocol, "SELECT currval('counted')")).contains("0A000").endsWith("ZI");
      assertThat(run(own, protocol, "SELECT lastval()")).contains("0A000").endsWith("ZI");
    }
    own.query("LISTEN pinned");
    assertThat(own.query("SELECT nextval('counted')")).contains("D('6',)");
    assertThat(own.query("SELECT currval('counted')")).contains("D('6',)");
  }

  /** A pool of one, so that a client which is served proves that no other is pinned. */
  @ProxyTest(direct = false, compare = false)
  void whatIsUndoneUnpins(Rig rig) {
    WireClient own = rig.poolSize(1).client();
    WireClient other = rig.client();
    String[][] pairs = {
      {"LISTEN a", "UNLISTEN *"},
      {"CREATE TEMP TABLE undone (a int)", "DISCARD TEMP"},
      {"SELECT pg_advisory_lock(48)", "SELECT pg_advisory_unlock_all()"},
      {"PREPARE p AS SELECT 1", "DEALLOCATE ALL"},
      {"SET work_mem = '1MB'", "RESET ALL"},
      {"SET ROLE app", "DISCARD ALL"},
      {"PREPARE p AS SELECT pg_advisory_lock(49)", "DISCARD ALL"},
      {
        "LISTEN a; SELECT pg_advisory_lock(50)",
        "SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL"
      },
    };
    for (QueryProtocol protocol : QueryProtocol.values()) {
      for (String[] pair : pairs) {
        if (protocol == QueryProtocol.EXTENDED && pair[0].contains(";")) {
          continue;
        }
        run(own, protocol, pair[0]);
        other.send(query("SELECT 'served'"));
        assertThat(other.silentFor(Duration.ofMillis(50))).as(pair[0]).isTrue();
        run(own, protocol, pair[1]);
        assertThat(other.trace()).as(pair[1]).isEqualTo("T D('served',) C[SELECT 1] ZI");
      }
    }
  }

  @ProxyTest(direct = false, compare = false)
  void whatWasNotDonePinsNobody(Rig rig) {
    WireClient own = rig.poolSize(1).client();
    WireClient other = rig.client();
    own.query("CREATE TEMP TABLE nosuch (a nosuchtype)");
    traffic(other);
    own.query("LISTEN a; SELECT 1 / 0");
    traffic(other);
    own.query("BEGIN");
    own.query("LISTEN a");
    own.query("ROLLBACK");
    traffic(other);
    own.extended("SELECT pg_advisory_lock('x')");
    traffic(other);
    own.query("BEGIN");
    own.query("SELECT set_config('work_mem', '1MB', true)");
    own.query("SET LOCAL work_mem = '2MB'");
    own.query("COMMIT");
    traffic(other);
    // What asyncpg and Npgsql send at every release to their pools.
    own.query("SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL");
    own.query("DISCARD ALL");
    traffic(other);
  }

  /** A library stays in the server process, whatever is discarded. */
  @ProxyTest(direct = false, compare = false)
  void aConnectionWithALibraryIsNotUsedAgain(Rig rig) {
    rig.server().execute("ALTER ROLE app SUPERUSER");
    try {
      WireClient own = rig.poolSize(1).client();
      String process = own.scalar("SELECT pg_backend_pid()");
      assertThat(own.query("LOAD 'plpgsql'")).isEqualTo("C[LOAD] ZI");
      own.query("DISCARD ALL");
      assertThat(own.scalar("SELECT pg_backend_pid()")).isEqualTo(process);
      own.close();
      assertThat(rig.client().scalar("SELECT pg_backend_pid()")).isNotEqualTo(process);
    } finally {
      rig.server().execute("ALTER ROLE app NOSUPERUSER");
    }
  }
}
