package io.pgring.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;

/**
 * An embedded PostgreSQL with its own data directory, TCP port and Unix socket. It holds the role
 * {@code app} (password {@code app}) with its database {@code app}, and the superuser {@code
 * postgres}. Over TCP, members of the role {@code proves_password} log in by SCRAM or MD5,
 * whichever their stored password allows, members of {@code shows_password} by a cleartext
 * password, all others without one, unless {@link Builder#hba} says otherwise.
 *
 * <p>{@link #shared} is one for all tests of the JVM, ended by a shutdown hook. A test that stops
 * the server or needs other settings starts a dedicated one and closes it. Any thread; start and
 * stop are not meant to be called concurrently.
 */
public final class PostgresServer implements AutoCloseable {
  /** Rules in pg_hba.conf that let the test's own administration in, whatever follows them. */
  private static final String ADMINISTRATION_HBA =
      "local all postgres trust\nhost all postgres samehost trust\n";

  private static final String DEFAULT_HBA =
      "host all +proves_password samehost md5\n"
          + "host all +shows_password samehost password\n"
          + "local all all trust\n"
          + "host all all samehost trust\n";

  private final Path directory;
  private final Map<String, String> settings;
  private final String hba;
  private int port;
  private EmbeddedPostgres postgres;

  private PostgresServer(Builder builder) throws IOException {
    settings = builder.settings;
    hba = builder.hba;
    directory = Files.createTempDirectory("pgring-test-");
    settings.put("unix_socket_directories", directory.toString());
  }

  /** The server that all tests of this JVM share, started by the first one that asks. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Starts the server again after {@link #stop}, with the same port and data. */
  public void start() {
    File data = directory.resolve("data").toFile();
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPort(port)
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setOutputRedirector(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
            .setErrorRedirector(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
    settings.forEach(builder::setServerConfig);
    try {
      postgres = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(log(), e);
    }
    port = postgres.getPort();
  }

  /** Stops the server in fast mode: sessions are terminated. */
  public void stop() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
    try {
      FileUtils.deleteDirectory(directory.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  public SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  public UnixDomainSocketAddress unixAddress() {
    return UnixDomainSocketAddress.of(directory.resolve(".s.PGSQL." + port));
  }

  /** What the server has logged since its first start. */
  public String log() {
    try {
      return Files.exists(logFile()) ? Files.readString(logFile()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs statements as the superuser in the database {@code app}. */
  public void execute(String... statements) {
    try (Connection connection = administration();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs one query as the superuser in the database {@code app}; the first column of each row. */
  public List<String> column(String sql) {
    try (Connection connection = administration();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first value of the first row. */
  public String scalar(String sql) {
    return column(sql).get(0);
  }

  /** Creates an empty table that belongs to {@code app}, in place of any earlier one. */
  public void createTable(String name, String columns) {
    execute(
        "DROP TABLE IF EXISTS " + name,
        "CREATE TABLE " + name + " (" + columns + ")",
        "ALTER TABLE " + name + " OWNER TO app");
  }

  /**
   * Creates a role that must give its password to log in, in place of any earlier one.
   *
   * @param password as an SQL literal
   * @param encryption how it is stored, {@code scram-sha-256} or {@code md5}
   */
  public void createRole(String role, String password, String encryption) {
    execute(
        "DROP ROLE IF EXISTS " + role,
        "SET password_encryption = '" + encryption + "'",
        "CREATE ROLE " + role + " LOGIN PASSWORD " + password + " IN ROLE proves_password");
  }

  private Connection administration() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/app?user=postgres&ApplicationName=testkit");
  }

  private Path logFile() {
    return directory.resolve("postgresql.log");
  }

  private void initialise() {
    start();
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE app LOGIN PASSWORD 'app'");
      statement.execute("CREATE ROLE proves_password");
      statement.execute("CREATE ROLE shows_password");
      statement.execute("CREATE DATABASE app OWNER app");
      Files.writeString(
          Path.of(directory.toString(), "data", "pg_hba.conf"), ADMINISTRATION_HBA + hba);
      statement.execute("SELECT pg_reload_conf()");
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Holder for the lazily started shared server. */
  private static final class Shared {
    static final PostgresServer SERVER = startUntilExit();

    private static PostgresServer startUntilExit() {
      PostgresServer server = builder().start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shared-postgres-closer"));
      return server;
    }
  }

  /** Settings of a dedicated server. Used by one thread. */
  public static final class Builder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private String hba = DEFAULT_HBA;

    private Builder() {
      setting("max_connections", "200");
      setting("timezone", "UTC");
      setting("log_connections", "on");
    }

    /** A parameter of postgresql.conf; the value must not contain blanks. */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Lines of pg_hba.conf; the superuser is let in before them. */
    public Builder hba(String... lines) {
      hba = String.join("\n", lines) + "\n";
      return this;
    }

    public PostgresServer start() {
      try {
        PostgresServer server = new PostgresServer(this);
        server.initialise();
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
