package io.pgring.demo.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Holds the verification to a server of which it is known what is wrong. No proxy is needed for
 * that.
 */
@Timeout(120)
class VerificationTest {
  private final Findings findings = new Findings();

  @BeforeEach
  void createTables() {
    PostgresServer server = PostgresServer.shared();
    server.createTable("check_rows", "run bigint, kind text, n int, payload text");
    server.createTable("pgbench_history", "delta int");
    server.createTable("pgbench_accounts", "abalance int");
    server.createTable("pgbench_tellers", "tbalance int");
    server.createTable("pgbench_branches", "bbalance int");
    server.execute(
        "INSERT INTO pgbench_history VALUES (3), (4)",
        "INSERT INTO pgbench_accounts VALUES (3), (4)",
        "INSERT INTO pgbench_tellers VALUES (7), (0)",
        "INSERT INTO pgbench_branches VALUES (7)",
        "INSERT INTO check_rows VALUES (1, 'copied', 1, 'x')");
    findings.committedDelta(3);
    findings.committedDelta(4);
    findings.committed("copied", 1);
  }

  @Test
  void findsNothingWhereEverythingIsAsTheClientsLeftIt() {
    new Verification(target(List.of()), findings).run();

    assertThat(findings.failures()).isEmpty();
  }

  @Test
  void findsWhatWasLostOrDoneTwice() {
    findings.committedDelta(5);
    findings.committed("batch", 50);

    new Verification(target(List.of()), findings).run();

    assertThat(findings.failures())
        .containsExactly(
            "transactions in history: expected 3, got 2",
            "sum of history: expected 12, got 7",
            "sum of accounts: expected 12, got 7",
            "sum of tellers: expected 12, got 7",
            "sum of branches: expected 12, got 7",
            "other rows committed: expected {batch=50, copied=1}, got {copied=1}");
  }

  @Test
  void findsTransactionsLocksAndLoggedErrorsLeftBehind() throws SQLException {
    try (Connection left = connect("app")) {
      left.setAutoCommit(false);
      left.createStatement().execute("SELECT pg_advisory_xact_lock(7)");

      new Verification(target(List.of("fault")), findings).run();

      assertThat(findings.failures())
          .contains(
              "transactions left open: expected 0, got 1",
              "locks left: expected 0, got 2",
              "errors logged by the proxy: expected [], got [fault]");
    }
  }

  private static CheckTarget target(List<String> loggedErrors) {
    return new CheckTarget(
        PostgresServer.shared().port(),
        "app",
        2,
        () -> connect("postgres"),
        () -> 0,
        () -> loggedErrors);
  }

  private static Connection connect(String user) throws SQLException {
    String url = "jdbc:postgresql://127.0.0.1:" + PostgresServer.shared().port() + "/app";
    return DriverManager.getConnection(url, user, "app");
  }
}
