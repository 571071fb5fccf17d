package io.pgring.demo.check;

import java.sql.Connection;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Transactions that commit, fail and roll back, and what must follow a client. Any client's thread.
 */
final class TransactionScenarios {
  private static final int ACCOUNTS = 100_000;
  private static final int TELLERS = 10;
  private static final int MAX_DELTA = 5000;
  private static final int LOCKS = 3;
  private static final int REPETITIONS = 8;

  private TransactionScenarios() {}

  static List<Scenario> all() {
    // Which lock is held by how many clients, as the clients see it.
    AtomicIntegerArray lockHolders = new AtomicIntegerArray(LOCKS);
    return List.of(
        new Scenario("TPC-B transactions", 12, TransactionScenarios::bank),
        new Scenario("reads", 12, TransactionScenarios::read),
        new Scenario("repeated statements", 2, TransactionScenarios::repeat),
        new Scenario("rollbacks", 1, TransactionScenarios::rollBack),
        new Scenario("savepoints", 1, TransactionScenarios::savepoints),
        new Scenario("errors in transactions", 1, TransactionScenarios::error),
        new Scenario("locks of transactions", 1, client -> lock(client, lockHolders)),
        new Scenario("settings", 1, TransactionScenarios::settings));
  }

  private static void bank(Client client) throws Exception {
    int account = 1 + client.random().nextInt(ACCOUNTS);
    int teller = 1 + client.random().nextInt(TELLERS);
    int delta = client.random().nextInt(2 * MAX_DELTA + 1) - MAX_DELTA;
    Connection connection = client.connection();
    connection.setAutoCommit(false);
    int before =
        Integer.parseInt(
            client.scalar(
                "SELECT abalance FROM pgbench_accounts WHERE aid = ? FOR UPDATE", account));
    client.expect(
        "accounts changed",
        1,
        client.update(
            "UPDATE pgbench_accounts SET abalance = abalance + ? WHERE aid = ?", delta, account));
    client.expect(
        "balance in its transaction",
        String.valueOf(before + delta),
        client.scalar("SELECT abalance FROM pgbench_accounts WHERE aid = ?", account));
    client.update(
        "UPDATE pgbench_tellers SET tbalance = tbalance + ? WHERE tid = ?", delta, teller);
    client.update("UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE bid = ?", delta, 1);
    client.update(
        "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (?, 1, ?, ?, now())",
        teller,
        account,
        delta);
    connection.commit();
    client.findings().committedDelta(delta);
  }

  private static void read(Client client) throws Exception {
    int account = 1 + client.random().nextInt(ACCOUNTS);
    client.expect(
        "account read",
        String.valueOf(account),
        client.scalar("SELECT aid FROM pgbench_accounts WHERE aid = ?", account));
    client.expect(
        "no account",
        List.of(),
        client.column("SELECT aid FROM pgbench_accounts WHERE aid = ?", 0));
    client.expect("text", "grün ✓ 'x'", client.scalar("SELECT ?::text", "grün ✓ 'x'"));
    client.expect("null", null, client.scalar("SELECT NULL::text"));
  }

  /** The same texts at all clients, so that they meet on the server connections. */
  private static void repeat(Client client) throws Exception {
    for (int i = 0; i < REPETITIONS; i++) {
      int factor = client.random().nextInt(1000);
      client.expect(
          "product", String.valueOf(3 * factor), client.scalar("SELECT 3 * ?::int", factor));
      client.expect(
          "rows of a range", i + 1, client.column("SELECT generate_series(0, ?)", i).size());
    }
  }

  private static void rollBack(Client client) throws Exception {
    long run = client.nextRun();
    client.connection().setAutoCommit(false);
    client.insert("rolled back", run, 1);
    client.expect("row in its transaction", List.of("1"), client.inserted(run));
    client.connection().rollback();
    client.expect("rows after the rollback", List.of(), client.inserted(run));
    client.connection().rollback();
  }

  private static void savepoints(Client client) throws Exception {
    long run = client.nextRun();
    Connection connection = client.connection();
    connection.setAutoCommit(false);
    client.insert("savepoint", run, 1);
    Savepoint first = connection.setSavepoint();
    client.insert("savepoint", run, 2);
    connection.rollback(first);
    client.insert("savepoint", run, 3);
    Savepoint second = connection.setSavepoint("second");
    client.expectError("22012", "division by zero", () -> client.scalar("SELECT 1 / 0"));
    connection.rollback(second);
    connection.releaseSavepoint(first);
    connection.commit();
    client.findings().committed("savepoint", 2);
    client.expect("rows after the commit", List.of("1", "3"), client.inserted(run));
    connection.rollback();
  }

  private static void error(Client client) throws Exception {
    long run = client.nextRun();
    Connection connection = client.connection();
    connection.setAutoCommit(false);
    client.insert("failed", run, 1);
    client.expectError("22012", "division by zero", () -> client.scalar("SELECT 1 / 0"));
    client.expectError("25P02", "after the error", () -> client.scalar("SELECT 1"));
    connection.rollback();
    client.expect("rows after the rollback", List.of(), client.inserted(run));
    client.insert("failed", run, 2);
    client.expectError("42601", "wrong syntax", () -> client.scalar("SELEC 1"));
    // PostgreSQL answers it with ROLLBACK, which is no error.
    connection.commit();
    client.expect("rows after the failed commit", List.of(), client.inserted(run));
    connection.rollback();
  }

  private static void lock(Client client, AtomicIntegerArray holders) throws Exception {
    int lock = client.random().nextInt(LOCKS);
    client.connection().setAutoCommit(false);
    client.scalar("SELECT pg_advisory_xact_lock(?)::text", lock);
    int others = holders.getAndIncrement(lock);
    try {
      String server = client.scalar("SELECT pg_backend_pid()");
      client.expect("other holders of the lock", 0, others);
      client.expect("server process", server, client.scalar("SELECT pg_backend_pid()"));
    } finally {
      holders.decrementAndGet(lock);
    }
    client.connection().commit();
  }

  /** Those that the server reports; the others are not promised to follow a client. */
  private static void settings(Client client) throws Exception {
    String path = client.scalar("SHOW search_path");
    String zone = client.scalar("SHOW TimeZone");
    String own = "Etc/GMT+" + (1 + client.random().nextInt(10));
    client.update("SET TimeZone = '" + own + "'");
    client.update("SET search_path = pg_catalog, public");
    for (int i = 0; i < REPETITIONS; i++) {
      client.expect("TimeZone", own, client.scalar("SHOW TimeZone"));
      client.expect("search_path", "pg_catalog, public", client.scalar("SHOW search_path"));
    }
    client.connection().setAutoCommit(false);
    client.update("SET LOCAL TimeZone = 'Etc/GMT+12'");
    client.expect("TimeZone of the transaction", "Etc/GMT+12", client.scalar("SHOW TimeZone"));
    client.connection().commit();
    client.expect("TimeZone after the transaction", own, client.scalar("SHOW TimeZone"));
    client.update("SET TimeZone = 'Etc/GMT+11'");
    client.connection().rollback();
    client.connection().setAutoCommit(true);
    client.expect("TimeZone after the rollback", own, client.scalar("SHOW TimeZone"));
    // Not by RESET, which goes back to the setting of pgring's login, not of the client's.
    client.update("SET TimeZone = '" + zone + "'");
    client.update("RESET search_path");
    for (int i = 0; i < REPETITIONS; i++) {
      client.expect("TimeZone set back", zone, client.scalar("SHOW TimeZone"));
      client.expect("search_path after the reset", path, client.scalar("SHOW search_path"));
    }
  }
}
