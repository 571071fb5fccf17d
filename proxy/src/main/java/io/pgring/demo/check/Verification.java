package io.pgring.demo.check;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.postgresql.Driver;

/**
 * Compares what the server holds and the proxy still has with what the clients have done. Used by
 * the caller's thread, once no client is left.
 */
final class Verification {
  private static final long EVENTUALLY_NS = 20_000_000_000L;
  private static final long POLL_MS = 50;

  private final CheckTarget target;
  private final Findings findings;
  private final Map<String, String> results = new LinkedHashMap<>();

  Verification(CheckTarget target, Findings findings) {
    this.target = target;
    this.findings = findings;
  }

  /** Looks at everything; what is wrong becomes a failure. */
  void run() {
    try (Connection server = target.administration().open()) {
      eventually("clients left at the proxy", 0, () -> target.clientCount().getAsInt());
      eventually("transactions left open", 0L, () -> number(server, activity("state <> 'idle'")));
      verify("server connections in the pool", target.poolSize(), usablePool());
      verify(
          "server connections above its size",
          0L,
          Math.max(0, number(server, activity("true")) - target.poolSize()));
      verify(
          "prepared transactions left",
          0L,
          number(server, "SELECT count(*) FROM pg_prepared_xacts"));
      verify("locks left", 0L, number(server, locks()));
      verifyData(server);
    } catch (Exception e) {
      findings.failed("verification", e);
    }
    results.put("cancels sent again", String.valueOf(findings.repeatedCancels()));
    verify("errors logged by the proxy", List.of(), target.loggedErrors().get());
  }

  /** What was found by what was looked at, in its order. */
  Map<String, String> results() {
    return results;
  }

  private void verifyData(Connection server) throws SQLException {
    String sum = "SELECT coalesce(sum(%s), 0) FROM pgbench_%s";
    verify(
        "transactions in history",
        findings.transactions(),
        number(server, "SELECT count(*) FROM pgbench_history"));
    verify(
        "sum of history", findings.deltaSum(), number(server, sum.formatted("delta", "history")));
    verify(
        "sum of accounts",
        findings.deltaSum(),
        number(server, sum.formatted("abalance", "accounts")));
    verify(
        "sum of tellers",
        findings.deltaSum(),
        number(server, sum.formatted("tbalance", "tellers")));
    verify(
        "sum of branches",
        findings.deltaSum(),
        number(server, sum.formatted("bbalance", "branches")));
    verify("other rows committed", findings.committedRows(), rowsByKind(server));
  }

  private static Map<String, Long> rowsByKind(Connection server) throws SQLException {
    Map<String, Long> rows = new TreeMap<>();
    try (Statement statement = server.createStatement();
        ResultSet kinds =
            statement.executeQuery("SELECT kind, count(*) FROM check_rows GROUP BY kind")) {
      while (kinds.next()) {
        rows.put(kinds.getString(1), kinds.getLong(2));
      }
    }
    return rows;
  }

  /**
   * As many transactions at once as the pool has connections; returns how many servers they had.
   */
  private int usablePool() throws SQLException {
    Properties properties = ClientMode.SIMPLE.properties(target.name());
    String url = "jdbc:postgresql://127.0.0.1:" + target.port() + "/" + target.name();
    List<Connection> clients = new ArrayList<>();
    Set<Integer> servers = new HashSet<>();
    try {
      for (int i = 0; i < target.poolSize(); i++) {
        Connection client = new Driver().connect(url, properties);
        clients.add(client);
        client.setAutoCommit(false);
        servers.add((int) number(client, "SELECT pg_backend_pid()"));
      }
      for (Connection client : clients) {
        client.rollback();
      }
      return servers.size();
    } catch (SQLException e) {
      throw new SQLException(
          servers.size()
              + " of "
              + target.poolSize()
              + " server connections usable: "
              + e.getMessage(),
          e.getSQLState(),
          e);
    } finally {
      for (Connection client : clients) {
        client.close();
      }
    }
  }

  private String activity(String condition) {
    return "SELECT count(*) FROM pg_stat_activity WHERE usename = '"
        + target.name()
        + "' AND "
        + condition;
  }

  private String locks() {
    return "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE usename = '"
        + target.name()
        + "'";
  }

  private void eventually(String what, Object expected, Callable<?> actual) throws Exception {
    long deadlineNs = System.nanoTime() + EVENTUALLY_NS;
    while (!expected.equals(actual.call()) && System.nanoTime() - deadlineNs < 0) {
      Thread.sleep(POLL_MS);
    }
    verify(what, expected, actual.call());
  }

  private void verify(String what, Object expected, Object actual) {
    results.put(what, String.valueOf(actual));
    if (!Objects.equals(expected, actual)) {
      findings.failed(what + ": expected " + expected + ", got " + actual);
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
