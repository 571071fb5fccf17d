package io.pgring.demo.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;

/** Cancelled statements, and clients that come, go and vanish. Any client's thread. */
final class InterruptionScenarios {
  /** Longer than a statement may take until it is cancelled, shorter than the driver's patience. */
  private static final String LONG_STATEMENT = "SELECT pg_sleep(15)";

  private static final String SHORT_STATEMENT = "SELECT pg_sleep(0.02)";
  private static final String CANCELLED = "57014";
  private static final int CANCEL_AFTER_MS = 50;
  private static final int CANCEL_AGAIN_AFTER_MS = 1000;
  private static final int SHORT_CONNECTIONS = 5;

  private InterruptionScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario("short connections", 2, InterruptionScenarios::shortConnections),
        new Scenario("cancelled statements", 1, InterruptionScenarios::cancel),
        new Scenario("cancels in transactions", 1, InterruptionScenarios::cancelInTransaction),
        new Scenario("cancels that come late", 1, InterruptionScenarios::cancelLate),
        new Scenario("query timeouts", 1, InterruptionScenarios::timeOut),
        new Scenario("clients that vanish", 1, InterruptionScenarios::vanish));
  }

  private static void shortConnections(Client client) throws Exception {
    for (int i = 0; i < SHORT_CONNECTIONS; i++) {
      try (Connection connection = client.connect();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT " + i)) {
        rows.next();
        client.expect("constant", i, rows.getInt(1));
      }
    }
  }

  private static void cancel(Client client) throws Exception {
    try (Statement statement = client.connection().createStatement()) {
      client.expectError(CANCELLED, "cancelled statement", () -> runAndCancel(client, statement));
    }
    client.expect("after the cancel", "1", client.scalar("SELECT 1"));
  }

  private static void cancelInTransaction(Client client) throws Exception {
    long run = client.nextRun();
    client.connection().setAutoCommit(false);
    client.insert("cancelled", run, 1);
    try (Statement statement = client.connection().createStatement()) {
      client.expectError(CANCELLED, "cancelled statement", () -> runAndCancel(client, statement));
    }
    client.expectError("25P02", "after the cancel", () -> client.scalar("SELECT 1"));
    client.connection().rollback();
    client.expect("rows after the rollback", List.of(), client.inserted(run));
  }

  /**
   * The cancel races with the end of its statement: it may be too late, but must not hit another.
   */
  private static void cancelLate(Client client) throws Exception {
    try (Statement statement = client.connection().createStatement()) {
      runAndInterrupt(statement, SHORT_STATEMENT, statement::cancel, new CountDownLatch(1));
    } catch (SQLException e) {
      client.expect("statement that is being cancelled", CANCELLED, e.getSQLState());
    }
    client.expect("after the cancel", "2", client.scalar("SELECT 2"));
  }

  private static void timeOut(Client client) throws Exception {
    try (Statement statement = client.connection().createStatement()) {
      statement.setQueryTimeout(1);
      client.expectError(CANCELLED, "statement timed out", () -> statement.execute(LONG_STATEMENT));
    }
    client.expect("after the timeout", "3", client.scalar("SELECT 3"));
  }

  /** Once within a transaction that has written, once while a statement runs. */
  private static void vanish(Client client) throws Exception {
    Connection writer = client.connect();
    writer.setAutoCommit(false);
    try (Statement statement = writer.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO check_rows VALUES (" + client.nextRun() + ", 'vanished', 1, 'x')");
    }
    writer.abort(Runnable::run);
    Connection sleeper = client.connect();
    try (Statement statement = sleeper.createStatement()) {
      runAndInterrupt(
          statement, LONG_STATEMENT, () -> sleeper.abort(Runnable::run), new CountDownLatch(1));
      throw new Findings.Mismatch("statement of a client that has gone", "an error", "none");
    } catch (SQLException e) {
      client.expect("connection is closed", true, sleeper.isClosed());
    }
  }

  /**
   * Cancels until it takes effect: one that arrives before the statement does has none, and is
   * counted.
   */
  private static void runAndCancel(Client client, Statement statement) throws Exception {
    PGConnection connection = client.connection().unwrap(PGConnection.class);
    CountDownLatch ended = new CountDownLatch(1);
    Client.Action cancels =
        () -> {
          statement.cancel();
          while (!ended.await(CANCEL_AGAIN_AFTER_MS, TimeUnit.MILLISECONDS)) {
            client.findings().cancelledAgain();
            connection.cancelQuery();
          }
        };
    runAndInterrupt(statement, LONG_STATEMENT, cancels, ended);
  }

  private static void runAndInterrupt(
      Statement statement, String sql, Client.Action interruption, CountDownLatch ended)
      throws Exception {
    Executor later = CompletableFuture.delayedExecutor(CANCEL_AFTER_MS, TimeUnit.MILLISECONDS);
    CompletableFuture<Void> interrupted =
        CompletableFuture.runAsync(() -> run(interruption), later);
    try {
      statement.execute(sql);
    } finally {
      ended.countDown();
      interrupted.get();
    }
  }

  private static void run(Client.Action action) {
    try {
      action.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
