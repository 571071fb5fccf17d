package io.pgring.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * An embedded PostgreSQL that lets nobody in without a password, on a port of the loopback
 * interface. It holds the role {@value #NAME} with a database of the same name. Program, data and
 * log are below one directory, which is the caller's to remove. Started and closed by one thread at
 * a time.
 */
final class DemoServer implements AutoCloseable {
  /** Name of the role, its password and its database. */
  static final String NAME = "demo";

  /** Name of the data directory. */
  static final String DATA = "data";

  private static final int PASSWORD_BYTES = 16;
  private static final int MAX_CONNECTIONS = 200;
  private static final Duration STARTUP_WAIT = Duration.ofMinutes(1);

  private final EmbeddedPostgres postgres;
  private final String administratorPassword;

  private DemoServer(EmbeddedPostgres postgres, String administratorPassword) {
    this.postgres = postgres;
    this.administratorPassword = administratorPassword;
  }

  /** Unpacks, initializes and starts a server; it takes connections when this returns. */
  static DemoServer start(Path directory, int port) throws IOException, SQLException {
    Path data = directory.resolve(DATA);
    Path log = Files.createFile(directory.resolve("postgresql.log"));
    // One of its own, since others get the right to write to it.
    Path program = Files.createDirectory(directory.resolve("program"));
    EmbeddedPostgres postgres;
    try {
      postgres =
          EmbeddedPostgres.builder()
              .setOverrideWorkingDirectory(program.toFile())
              .setDataDirectory(data)
              .setCleanDataDirectory(true)
              .setRegisterShutdownHook(false)
              .setPGStartupWait(STARTUP_WAIT)
              .setPort(port)
              .setLocaleConfig("locale", "C")
              .setServerConfig("max_connections", String.valueOf(MAX_CONNECTIONS))
              .setServerConfig("unix_socket_directories", "")
              .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException | RuntimeException e) {
      throw new IOException("PostgreSQL does not start: " + Files.readString(log).strip(), e);
    }
    byte[] password = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(password);
    DemoServer server = new DemoServer(postgres, HexFormat.of().formatHex(password));
    try {
      server.secure(data);
    } catch (IOException | SQLException e) {
      server.close();
      throw e;
    }
    return server;
  }

  int port() {
    return postgres.getPort();
  }

  /** A connection of the administrator to the demo's database, past any proxy. */
  Connection administration() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "postgres");
    properties.setProperty("password", administratorPassword);
    properties.setProperty("ApplicationName", "pgring demo");
    return new Driver().connect("jdbc:postgresql://127.0.0.1:" + port() + "/" + NAME, properties);
  }

  /** Stops the server and removes its data. */
  @Override
  public void close() throws IOException {
    postgres.close();
  }

  private void secure(Path data) throws IOException, SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER ROLE postgres PASSWORD '" + administratorPassword + "'");
      statement.execute("CREATE ROLE " + NAME + " LOGIN PASSWORD '" + NAME + "'");
      statement.execute("CREATE DATABASE " + NAME + " OWNER " + NAME);
      Files.writeString(data.resolve("pg_hba.conf"), "host all all samehost scram-sha-256\n");
      statement.execute("SELECT pg_reload_conf()");
    }
  }
}
