package io.pgring.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.testkit.Rig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the console that change something, with clients that notice. */
@Timeout(60)
class AdministrationTest extends ConsoleFixture {
  @ParameterizedTest
  @ValueSource(strings = {"PAUSE app;", "pause"})
  void pauseWaitsForTransactionsAndHoldsClients(String pause) throws Exception {
    Connection inTransaction = app();
    inTransaction.setAutoCommit(false);
    run(inTransaction, "SELECT 1");
    Connection idle = app();
    run(idle, "SELECT 1");
    Connection console = console("extended");
    Connection observer = console("simple");

    CompletableFuture<Void> paused = inBackground(() -> run(console, pause));
    Rig.eventually("the pause is in force", () -> database(observer, "paused").equals(1));
    assertStillWaiting(paused);
    run(inTransaction, "SELECT 2");
    inTransaction.commit();
    paused.get(10, TimeUnit.SECONDS);
    assertThat(database(observer, "current_connections")).isEqualTo(0);

    CompletableFuture<Void> held = inBackground(() -> run(idle, "SELECT 3"));
    Rig.eventually("the client waits", () -> pool(observer, "cl_waiting").equals(1));
    assertStillWaiting(held);
    assertFails(console, pause, "55000", "already suspended/paused");
    run(console, pause.replaceAll("(?i)pause", "RESUME"));
    held.get(10, TimeUnit.SECONDS);
    assertThat(database(observer, "paused")).isEqualTo(0);
  }

  @Test
  void resumeEndsAPauseThatStillWaits() throws Exception {
    Connection inTransaction = app();
    inTransaction.setAutoCommit(false);
    run(inTransaction, "SELECT 1");
    Connection console = console("simple");
    Connection other = console("simple");

    CompletableFuture<Void> paused = inBackground(() -> run(console, "PAUSE app"));
    Rig.eventually("the pause is in force", () -> database(other, "paused").equals(1));
    run(other, "RESUME app");

    assertThatThrownBy(() -> paused.get(10, TimeUnit.SECONDS))
        .hasMessageContaining("RESUME has ended the pause");
    run(inTransaction, "SELECT 2");
    inTransaction.commit();
    run(app(), "SELECT 3");
  }

  @ParameterizedTest
  @CsvSource({"simple, PAUSE app", "extended, PAUSE app", "simple, PAUSE", "extended, PAUSE"})
  void aPauseEndsWithTheSessionThatWaitsForIt(String mode, String pause) throws Exception {
    Connection inTransaction = app();
    inTransaction.setAutoCommit(false);
    run(inTransaction, "SELECT 1");
    Connection observer = console("simple");
    Connection console = console(mode);

    CompletableFuture<Void> paused = inBackground(() -> run(console, pause));
    Rig.eventually("the pause is in force", () -> database(observer, "paused").equals(1));
    console.abort(Runnable::run);

    assertThatThrownBy(() -> paused.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(SQLException.class);
    Rig.eventually("the pause is over", () -> database(observer, "paused").equals(0));
    run(app(), "SELECT 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void aCancelRequestEndsAPauseThatStillWaits(String mode) throws Exception {
    Connection inTransaction = app();
    inTransaction.setAutoCommit(false);
    run(inTransaction, "SELECT 1");
    Connection observer = console("simple");
    Connection console = console(mode);

    try (Statement statement = console.createStatement()) {
      CompletableFuture<Void> paused = inBackground(() -> statement.execute("PAUSE app"));
      Rig.eventually("the pause is in force", () -> database(observer, "paused").equals(1));
      statement.cancel();
      assertThatThrownBy(() -> paused.get(10, TimeUnit.SECONDS))
          .hasMessageContaining("canceling statement due to user request");
    }
    assertThat(database(observer, "paused")).isEqualTo(0);
    assertThat(rows(console, "SHOW VERSION")).hasSize(1);
    run(app(), "SELECT 2");
  }

  @ParameterizedTest
  @CsvSource({"simple, KILL app", "extended, KILL app", "simple, KILL", "extended, KILL"})
  void killEndsSessionsAtOnceAndHoldsNewOnes(String mode, String kill) throws Exception {
    Connection idle = app();
    run(idle, "SELECT 1");
    Connection inTransaction = app();
    inTransaction.setAutoCommit(false);
    run(inTransaction, "SELECT 1");
    Connection asking = app();
    CompletableFuture<Void> query = inBackground(() -> run(asking, "SELECT pg_sleep(50)"));
    Connection console = console(mode);
    Rig.eventually("the query runs", () -> pool(console, "sv_active").equals(2));

    run(console, kill);

    assertFails(idle, "SELECT 2", "57P01", "administrator command");
    assertFails(inTransaction, "SELECT 2", "57P01", "administrator command");
    assertThatThrownBy(() -> query.get(10, TimeUnit.SECONDS))
        .hasMessageContaining("administrator command");
    assertThat(database(console, "current_connections")).isEqualTo(0);
    assertThat(database(console, "paused")).isEqualTo(1);
    CompletableFuture<Void> held = inBackground(() -> run(app(), "SELECT 3"));
    Rig.eventually("a new client waits", () -> pool(console, "cl_waiting").equals(1));
    run(console, kill.replace("KILL", "RESUME"));
    held.get(10, TimeUnit.SECONDS);
  }

  private static int serverProcess(Connection connection) throws SQLException {
    return (Integer) rows(connection, "SELECT pg_backend_pid() AS pid").get(0).get("pid");
  }

  @ParameterizedTest
  @CsvSource({
    "simple, RECONNECT app, WAIT_CLOSE app",
    "extended, RECONNECT app, WAIT_CLOSE app",
    "simple, RECONNECT, WAIT_CLOSE",
    "extended, RECONNECT, WAIT_CLOSE"
  })
  void reconnectReplacesConnectionsWhenTheyAreFree(String mode, String reconnect, String waitClose)
      throws Exception {
    Connection idle = app();
    Connection inTransaction = app();
    inTransaction.setAutoCommit(false);
    int kept = serverProcess(inTransaction);
    int replaced = serverProcess(idle);
    Connection console = console(mode);
    Connection waiter = console(mode);
    run(waiter, waitClose);

    run(console, reconnect);
    CompletableFuture<Void> closed = inBackground(() -> run(waiter, waitClose));
    assertStillWaiting(closed);

    assertThat(serverProcess(inTransaction)).isEqualTo(kept);
    assertThat(serverProcess(idle)).isNotIn(kept, replaced);
    inTransaction.commit();
    closed.get(10, TimeUnit.SECONDS);
    assertThat(serverProcess(inTransaction)).isNotEqualTo(kept);
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void disableTurnsNewClientsAwayUntilEnable(String mode) throws SQLException {
    Connection present = app();
    Connection console = console(mode);

    run(console, "DISABLE app");

    assertThat(database(console, "disabled")).isEqualTo(1);
    assertThatThrownBy(this::app)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"))
        .hasMessageContaining("database \"app\" is not currently accepting connections");
    run(present, "SELECT 1");
    run(console, "ENABLE app");
    assertThat(database(console, "disabled")).isEqualTo(0);
    run(app(), "SELECT 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET query_wait_timeout_s = 7        | query_wait_timeout_s      | 7",
        "set query_wait_timeout_s to '0.5';  | query_wait_timeout_s      | 0.5",
        "SET stats_users = clerk, app        | stats_users               | clerk, app",
        "SET server_reset_query = 'RESET ALL'| server_reset_query        | RESET ALL"
      })
  void setChangesAKey(String sql, String key, String value) throws SQLException {
    for (String mode : List.of("simple", "extended")) {
      Connection console = console(mode);
      run(console, "SET " + key + " = " + (key.endsWith("_s") ? "9" : "other"));
      run(console, sql);
      assertThat(row(console, "SHOW CONFIG", "key", key)).containsEntry("value", value);
    }
  }

  @Test
  void aKeyThatWasSetIsInForceForDatabasesWithoutTheirOwn() throws Exception {
    Connection holder = app();
    holder.setAutoCommit(false);
    run(holder, "SELECT 1");
    Connection late = app();
    Connection console = console("extended");

    run(console, "SET max_db_connections = 1");
    run(console, "SET query_wait_timeout_s = 0.2");
    run(console, "RECONNECT app");

    assertFails(late, "SELECT 1", "53300", "query_wait_timeout");
    assertThat(database(console, "max_connections")).isEqualTo(1);
    assertThat(database(console, "pool_size")).as("the database's own").isEqualTo(3);
  }
}
