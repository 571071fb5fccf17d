package io.pgring.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.Proxy;
import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.testkit.PostgresServer;
import io.pgring.testkit.Rig;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console as a driver sees it, with two lanes in front of a PostgreSQL server. */
@Timeout(60)
class ConsoleTest {
  private Proxy proxy;
  private final List<Connection> opened = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    PgringConfig config =
        PgringConfig.builder()
            .set(ConfigKey.LISTEN, "127.0.0.1:0")
            .set(ConfigKey.LANES, "2")
            .set(ConfigKey.ADMIN_USERS, "boss")
            .set(ConfigKey.STATS_USERS, "clerk")
            .database("app", "127.0.0.1:" + PostgresServer.shared().port())
            .setForDatabase("app", ConfigKey.POOL_SIZE, "3")
            .user("app", "app")
            .user("boss", "secret")
            .user("clerk", "secret")
            .build();
    proxy = Proxy.start(config);
  }

  @AfterEach
  void stop() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
    proxy.close();
  }

  private Connection connect(String database, String user, String password, String mode)
      throws SQLException {
    String url =
        "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s&preferQueryMode=%s&prepareThreshold=1"
            .formatted(proxy.port(), database, user, password, mode);
    Connection connection = DriverManager.getConnection(url);
    opened.add(connection);
    return connection;
  }

  private Connection console(String mode) throws SQLException {
    return connect("pgbouncer", "boss", "secret", mode);
  }

  private Connection app() throws SQLException {
    return connect("app", "app", "app", "extended");
  }

  private static List<Map<String, Object>> rows(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return rows(result);
    }
  }

  private static List<Map<String, Object>> rows(ResultSet result) throws SQLException {
    List<Map<String, Object>> rows = new ArrayList<>();
    while (result.next()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        row.put(result.getMetaData().getColumnName(i), result.getObject(i));
      }
      rows.add(row);
    }
    return rows;
  }

  private static Map<String, Object> row(
      Connection connection, String sql, String column, String value) throws SQLException {
    return rows(connection, sql).stream()
        .filter(row -> value.equals(row.get(column)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(sql + ": no " + column + " " + value));
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void assertFails(Connection connection, String sql, String state, String message) {
    assertThatThrownBy(() -> run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining(message);
  }

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

  private static Object pool(Connection console, String column) {
    return value(console, "show pools;", "database", column);
  }

  private static Object client(Connection console, String column) {
    return value(console, "SHOW CLIENTS", "database", column);
  }

  private static Object database(Connection console, String column) {
    return value(console, "SHOW DATABASES", "name", column);
  }

  /** A value of the row of {@code app}. */
  private static Object value(Connection console, String sql, String key, String column) {
    try {
      return row(console, sql, key, "app").get(column);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<Void> inBackground(Task task) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
                done.complete(null);
              } catch (SQLException e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  private interface Task {
    void run() throws SQLException;
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
        "KILL app            | 0A000 | KILL is not supported",
        "SET pool_mode = 'x' | 0A000 | SET pool_mode is not supported",
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
    assertFails(clerk, "PAUSE", "42501", "admin access needed");
    assertFails(clerk, "SHUTDOWN", "42501", "admin access needed");
    assertThatThrownBy(() -> connect("pgbouncer", "app", "app", "extended"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("admin_users");
    assertThatThrownBy(() -> connect("pgbouncer", "boss", "wrong", "extended"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

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

  private static void assertStillWaiting(CompletableFuture<Void> future)
      throws InterruptedException, ExecutionException {
    try {
      future.get(200, TimeUnit.MILLISECONDS);
      throw new AssertionError("it did not wait");
    } catch (TimeoutException expected) {
      // It waits.
    }
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
