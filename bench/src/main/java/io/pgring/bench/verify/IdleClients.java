package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Connections of a real driver that logged in, asked one question and then say nothing. Opened by
 * several threads, since each login computes a password hash; owned by the main thread.
 */
final class IdleClients implements AutoCloseable {
  private static final int LOGIN_THREADS = 8;

  private final List<Connection> connections = new ArrayList<>();

  private IdleClients() {}

  static IdleClients open(Endpoint endpoint, Account account, int count) {
    IdleClients clients = new IdleClients();
    ExecutorService threads = Executors.newFixedThreadPool(LOGIN_THREADS);
    try {
      List<Future<Connection>> logins = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        logins.add(threads.submit(() -> login(endpoint, account)));
      }
      for (Future<Connection> login : logins) {
        clients.connections.add(login.get());
      }
      return clients;
    } catch (ExecutionException e) {
      clients.close();
      throw new BenchFailure(
          "client %d of %d: %s"
              .formatted(clients.connections.size() + 1, count, e.getCause().getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      clients.close();
      throw new BenchFailure("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Connection login(Endpoint endpoint, Account account) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", account.user());
    properties.setProperty("password", account.password());
    properties.setProperty("loginTimeout", "60");
    String url =
        "jdbc:postgresql://%s:%d/%s"
            .formatted(endpoint.host(), endpoint.port(), account.database());
    Connection connection = DriverManager.getConnection(url, properties);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1");
    }
    return connection;
  }

  @Override
  public void close() {
    for (Connection connection : connections) {
      try {
        connection.close();
      } catch (SQLException alreadyGone) {
        continue;
      }
    }
  }
}
