package io.pgring.demo;

import io.pgring.Proxy;
import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * PostgreSQL with sample data and a proxy in front of it. The main thread starts it; whichever
 * thread comes first closes it, after the step that is being done, and no further step begins.
 */
final class DemoStand implements AutoCloseable {
  private final Progress progress;
  private volatile boolean closing;
  private DemoDirectory directory;
  private DemoServer server;
  private Proxy proxy;

  DemoStand(Progress progress) {
    this.progress = progress;
  }

  /**
   * Starts PostgreSQL and fills it.
   *
   * @param preferredPort where it listens unless that is taken; 0: on any free port
   */
  void startServer(int preferredPort) throws Exception {
    run(this::createDirectory);
    int port = Ports.freeFrom(preferredPort, progress::line);
    progress.step("starting PostgreSQL on port " + port, () -> run(() -> startPostgres(port)));
    progress.step(
        "creating sample data, " + SampleData.ACCOUNTS + " accounts", () -> run(this::createData));
  }

  /**
   * Starts the proxy.
   *
   * @param base what is not for the demo to say, such as lanes and threading
   * @param poolSize number of server connections
   * @param preferredPort where it listens unless that is taken; 0: on any free port
   */
  void startProxy(PgringConfig.Builder base, int poolSize, int preferredPort) throws Exception {
    int port = Ports.freeFrom(preferredPort, progress::line);
    PgringConfig config = configure(base, poolSize, port);
    String name =
        "starting pgring on port %d, %s, %d %s, %d server connections"
            .formatted(
                port,
                config.threading().name().toLowerCase(Locale.ROOT),
                config.lanes(),
                config.lanes() == 1 ? "lane" : "lanes",
                poolSize);
    progress.step(name, () -> run(() -> proxy = Proxy.start(config)));
  }

  /** Where clients connect. */
  int proxyPort() {
    return proxy.port();
  }

  /** Where PostgreSQL itself listens. */
  int serverPort() {
    return server.port();
  }

  Connection administration() throws SQLException {
    return server.administration();
  }

  /** Clients that the proxy has. */
  int clients() {
    return proxy.shared().clientCounts().all();
  }

  /** True as soon as somebody has begun to close this. */
  boolean isClosing() {
    return closing;
  }

  /** Stops both and removes all that they wrote. */
  @Override
  public void close() throws IOException {
    closing = true;
    synchronized (this) {
      if (proxy != null) {
        proxy.close();
        proxy = null;
      }
      if (server != null) {
        server.close();
        server = null;
      }
      if (directory != null) {
        directory.close();
        directory = null;
      }
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private synchronized Void run(Action action) throws Exception {
    if (closing) {
      throw new IllegalStateException("the demo is being ended");
    }
    action.run();
    return null;
  }

  private void createDirectory() throws IOException {
    directory = DemoDirectory.create();
    int leftovers = directory.removeLeftovers();
    if (leftovers > 0) {
      progress.line("removed what " + leftovers + " killed demo(s) had left");
    }
  }

  private void startPostgres(int port) throws IOException, SQLException {
    server = DemoServer.start(directory.path(), port);
  }

  private void createData() throws SQLException {
    try (Connection connection = server.administration()) {
      SampleData.create(connection);
    }
  }

  private PgringConfig configure(PgringConfig.Builder base, int poolSize, int port) {
    return base.set(ConfigKey.LISTEN, "127.0.0.1:" + port)
        .set(ConfigKey.ADMIN_USERS, DemoServer.NAME)
        .database(DemoServer.NAME, "127.0.0.1:" + server.port())
        .setForDatabase(DemoServer.NAME, ConfigKey.POOL_SIZE, String.valueOf(poolSize))
        .user(DemoServer.NAME, DemoServer.NAME)
        .build();
  }
}
