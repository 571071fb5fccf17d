package io.pgring.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.Proxy;
import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.testkit.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.junit.jupiter.api.Timeout;

/**
 * A proxy with two lanes in front of a PostgreSQL server, its console, and what tests of the
 * console ask of both as a driver.
 */
@Timeout(60)
abstract class ConsoleFixture {
  Proxy proxy;
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

  Connection connect(String database, String user, String password, String mode)
      throws SQLException {
    String url =
        "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s&preferQueryMode=%s&prepareThreshold=1"
            .formatted(proxy.port(), database, user, password, mode);
    Connection connection = DriverManager.getConnection(url);
    opened.add(connection);
    return connection;
  }

  Connection console(String mode) throws SQLException {
    return connect("pgbouncer", "boss", "secret", mode);
  }

  Connection app() throws SQLException {
    return connect("app", "app", "app", "extended");
  }

  static List<Map<String, Object>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return rows(result);
    }
  }

  static List<Map<String, Object>> rows(ResultSet result) throws SQLException {
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

  static Map<String, Object> row(Connection connection, String sql, String column, String value)
      throws SQLException {
    return rows(connection, sql).stream()
        .filter(row -> value.equals(row.get(column)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(sql + ": no " + column + " " + value));
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static void assertFails(Connection connection, String sql, String state, String message) {
    assertThatThrownBy(() -> run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining(message);
  }

  static Object pool(Connection console, String column) {
    return value(console, "show pools;", "database", column);
  }

  static Object client(Connection console, String column) {
    return value(console, "SHOW CLIENTS", "database", column);
  }

  static Object database(Connection console, String column) {
    return value(console, "SHOW DATABASES", "name", column);
  }

  /** A value of the row of {@code app}. */
  static Object value(Connection console, String sql, String key, String column) {
    try {
      return row(console, sql, key, "app").get(column);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static CompletableFuture<Void> inBackground(Task task) {
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

  interface Task {
    void run() throws SQLException;
  }

  static void assertStillWaiting(CompletableFuture<Void> future)
      throws InterruptedException, ExecutionException {
    try {
      future.get(200, TimeUnit.MILLISECONDS);
      throw new AssertionError("it did not wait");
    } catch (TimeoutException expected) {
      // It waits.
    }
  }
}
