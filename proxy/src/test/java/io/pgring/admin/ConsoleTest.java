package io.pgring.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.testkit.PostgresServer;
import io.pgring.testkit.Rig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console as a driver sees it, with two lanes in front of a PostgreSQL server. */
@Timeout(60)
class ConsoleTest extends ConsoleFixture {
  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void showsPoolsOverAllLanes(String mode) throws SQLException {
    try (Connection one = app();
        Connection two = app()) {
      one.setAutoCommit(false);
      two.setAutoCommit(false);
      run(one, "SELECT 1");
      run(two, "SELECT 1");

      Map<String, Object> pool = row(console(mode), "SHOW POOLS", "database", "app");

      assertThat(pool)
          .containsEntry("user", "app")
          .containsEntry("cl_active", 2)
          .containsEntry("cl_waiting", 0)
          .containsEntry("sv_active", 2)
          .containsEntry("sv_login", 0)
          .containsEntry("maxwait", 0)
          .containsEntry("pool_mode", "transaction");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void showsWhoWaits(String mode) throws Exception {
    Connection late = app();
    List<Connection> busy = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Connection connection = app();
      connection.setAutoCommit(false);
      run(connection, "SELECT 1");
      busy.add(connection);
    }
    CompletableFuture<Void> waiting = inBackground(() -> run(late, "SELECT 1"));
    Connection console = console(mode);

    Rig.eventually("a client waits", () -> pool(console, "cl_waiting").equals(1));
    assertThat(row(console, "SHOW CLIENTS", "state", "waiting")).containsEntry("database", "app");
    busy.get(0).commit();
    waiting.get(10, TimeUnit.SECONDS);
    assertThat(pool(console, "cl_waiting")).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void showsWhatPins(String mode) throws SQLException {
    try (Connection app = app()) {
      run(app, "LISTEN console");
      run(app, "CREATE TEMP TABLE pinned (a int)");
      Connection console = console(mode);

      assertThat(row(console, "SHOW PINS", "database", "app"))
          .containsEntry("user", "app")
          .containsEntry("cause", "LISTEN, temporary table")
          .containsEntry("link", client(console, "link"))
          .containsEntry("remote_pid", value(console, "SHOW SERVERS", "database", "remote_pid"));
      run(app, "DISCARD ALL");
      assertThat(rows(console, "SHOW PINS")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void linksClientsAndServers(String mode) throws SQLException {
    Connection client = app();
    client.setAutoCommit(false);
    run(client, "SELECT 1");
    Connection console = console(mode);

    Map<String, Object> clientRow = row(console, "SHOW CLIENTS", "database", "app");
    Map<String, Object> serverRow = row(console, "SHOW SERVERS", "database", "app");

    assertThat(clientRow).containsEntry("type", "C").containsEntry("state", "active");
    assertThat(serverRow).containsEntry("type", "S").containsEntry("state", "active");
    assertThat(clientRow.get("link")).isEqualTo(serverRow.get("ptr"));
    assertThat(serverRow.get("link")).isEqualTo(clientRow.get("ptr"));
    assertThat(serverRow).containsEntry("port", PostgresServer.shared().port());
    assertThat(clientRow).containsEntry("local_port", proxy.port());
    client.commit();
    // The other lane may look before this one has taken the connection back.
    Rig.eventually("the client is idle", () -> client(console, "state").equals("idle"));
  }

  @Test
  void countsTrafficOfEachDatabase() throws SQLException {
    Connection client = app();
    Connection console = console("extended");
    client.setAutoCommit(false);
    run(client, "SELECT 1");
    run(client, "SELECT 2");
    client.commit();
    List<Map<String, Object>> before = rows(console, "SHOW STATS");
    run(client, "SELECT 1");
    client.commit();

    Map<String, Object> stats = row(console, "SHOW STATS", "database", "app");

    assertThat(before).hasSize(1);
    for (String total : List.of("total_xact_count", "total_query_count", "total_sent")) {
      long old = ((Number) before.get(0).get(total)).longValue();
      assertThat(((Number) stats.get(total)).longValue()).as(total).isGreaterThan(old);
    }
    assertThat(stats).containsKeys("avg_query_count", "avg_wait_time");
    assertThat(row(console, "SHOW STATS_TOTALS", "database", "app"))
        .containsKeys("xact_count", "bytes_received")
        .doesNotContainKey("avg_query_count");
  }

  @ParameterizedTest
  @CsvSource({
    "SHOW DATABASES, name, app, pool_size, 3",
    "SHOW USERS, name, boss, max_user_connections, 0",
    "SHOW LISTS, list, users, items, 3",
    "SHOW CONFIG, key, lanes, value, 2",
    "SHOW STATE, key, active, value, yes"
  })
  void showsTheConfiguration(String sql, String keyColumn, String key, String column, String value)
      throws SQLException {
    for (String mode : List.of("simple", "extended")) {
      assertThat(row(console(mode), sql, keyColumn, key).get(column)).hasToString(value);
    }
  }

  @Test
  void hasTheTypesOfPgBouncer() throws SQLException {
    Connection console = console("extended");
    app();
    try (Statement statement = console.createStatement()) {
      assertThat(statement.executeQuery("SHOW POOLS").getMetaData().getColumnType(3))
          .isEqualTo(Types.INTEGER);
      assertThat(statement.executeQuery("SHOW STATS").getMetaData().getColumnType(2))
          .isEqualTo(Types.NUMERIC);
      assertThat(statement.executeQuery("SHOW VERSION").getMetaData().getColumnType(1))
          .isEqualTo(Types.VARCHAR);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"show version", "SHOW VERSION;", "/* x */ -- y\n  Show\n\tversion ;"})
  void isTolerantOfCaseSpaceAndSemicolons(String sql) throws SQLException {
    for (String mode : List.of("simple", "extended")) {
      assertThat(rows(console(mode), sql)).hasSize(1);
    }
  }

  @Test
  void runsSeveralCommandsOfOneText() throws SQLException {
    try (Statement statement = console("simple").createStatement()) {
      assertThat(statement.execute("SHOW VERSION; SHOW POOLS; SHOW LISTS")).isTrue();
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(rows(statement.getResultSet())).extracting("list").contains("pools");
    }
  }

  @Test
  void sendsAPortalInPieces() throws SQLException {
    Connection console = console("extended");
    console.setAutoCommit(false);
    try (Statement statement = console.createStatement()) {
      statement.setFetchSize(7);
      assertThat(rows(statement.executeQuery("SHOW CONFIG"))).hasSizeGreaterThan(14);
    }
    console.commit();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1            | 42601 | invalid command 'SELECT 1'",
        "SHOW                | 42601 | invalid command 'SHOW'",
        "SHOW NONSENSE       | 42601 | invalid command",
        "SHOW FDS            | 0A000 | SHOW FDS is not supported",
        "SUSPEND             | 0A000 | SUSPEND is not supported",
        "KILL_CLIENT 1       | 0A000 | KILL_CLIENT is not supported",
        "KILL nosuch         | 3D000 | no such database: nosuch",
        "RECONNECT nosuch    | 3D000 | no such database: nosuch",
        "WAIT_CLOSE nosuch   | 3D000 | no such database: nosuch",
        "DISABLE             | 42601 | a database is required",
        "ENABLE              | 42601 | a database is required",
        "DISABLE pgbouncer   | 0A000 | the console itself is always there",
        "SET pool_mode = 'x' | 22023 | pool_mode must be session, transaction or statement",
        "SET pool_mode       | 42601 | syntax error",
        "SET lanes = 3       | 55P02 | cannot be changed without restarting pgring",
        "SET max_db_connections = 1, 2 | 22023 | must be one value",
        "SET query_wait_timeout = 1 | 42704 | unrecognized configuration parameter",
        "PAUSE nosuch        | 3D000 | no such database: nosuch",
        "RESUME app          | 55000 | database app is not paused",
        "RESUME              | 55000 | pooler is not paused",
        "PAUSE a b           | 42601 | too many arguments",
        "SHUTDOWN WAIT_FOR_CLIENTS | 0A000 | is not supported",
        "RELOAD              | F0000 | not started from a configuration file"
      })
  void saysWhyACommandCannotBeRun(String sql, String state, String message) throws SQLException {
    for (String mode : List.of("simple", "extended")) {
      Connection console = console(mode);
      assertFails(console, sql, state, message);
      assertThat(rows(console, "SHOW VERSION")).hasSize(1);
    }
  }

  @Test
  void letsOnlyAdministratorsAndStatsUsersIn() throws SQLException {
    Connection clerk = connect("pgbouncer", "clerk", "secret", "extended");
    assertThat(rows(clerk, "SHOW POOLS")).isNotEmpty();
    for (String command : List.of("PAUSE", "KILL", "DISABLE app", "SET pool_mode = session")) {
      assertFails(clerk, command, "42501", "admin access needed");
    }
    assertFails(clerk, "SHUTDOWN", "42501", "admin access needed");
    assertThatThrownBy(() -> connect("pgbouncer", "app", "app", "extended"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("admin_users");
    assertThatThrownBy(() -> connect("pgbouncer", "boss", "wrong", "extended"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void sendsAnswersThatAreLongerThanASessionMayQueue() throws SQLException {
    Connection console = console("simple");
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      sql.append("SHOW CONFIG;");
    }
    try (Statement statement = console.createStatement()) {
      statement.execute(sql.toString());
      int results = 1;
      while (statement.getMoreResults()) {
        results++;
      }
      assertThat(results).isEqualTo(500);
    }
  }
}
