package io.pgring;

import io.pgring.configfile.ConfigFile;
import io.pgring.configfile.LoadedConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Does once what {@code serve} does until its first query is answered, and ends. The JVM notes
 * which classes that takes, and the launcher makes the archive of them with which later starts are
 * faster. Needs no PostgreSQL: the proxy is its own server, whose console answers.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Load what 'serve' needs, for the launcher; nothing is served.")
final class RehearseCommand implements Callable<Integer> {
  private static final String SOCKET = ".s.PGSQL.6432";
  private static final String CONFIGURATION =
      """
      listen: ["127.0.0.1:0", "unix:%1$s"]
      admin_users: [rehearsal]
      databases:
        rehearsal: { primary: "unix:%1$s", dbname: pgbouncer, pool_mode: transaction }
      users:
        rehearsal: { password: "rehearsal" }
      lanes: auto
      threading: fused
      # What the driver sets: the console does not take settings.
      ignore_startup_parameters:
        [application_name, client_encoding, DateStyle, extra_float_digits, TimeZone]
      """;

  /** With one message for each query, and with prepared statements: both protocols. */
  private static final String[] QUERY_MODES = {"simple", "extended"};

  @Override
  public Integer call() throws IOException {
    Path directory = Files.createTempDirectory("pgring-rehearsal");
    Path file = directory.resolve("pgring.yaml");
    Path socket = directory.resolve(SOCKET);
    try {
      Files.writeString(file, CONFIGURATION.formatted(socket));
      return serve(file);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(socket);
      Files.delete(directory);
    }
  }

  private static int serve(Path file) {
    LoadedConfig loaded = ConfigFile.load(file);
    Service service = new Service(loaded.config(), () -> ConfigFile.load(file));
    boolean[] answered = new boolean[1];
    int status =
        service.run(
            port -> {
              answered[0] = isAnswered(port);
              service.shutDown(false);
            });
    return answered[0] ? status : 1;
  }

  private static boolean isAnswered(int port) {
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/rehearsal?user=rehearsal";
    String options = "&password=rehearsal&connectTimeout=10&socketTimeout=10&preferQueryMode=";
    for (String mode : QUERY_MODES) {
      try (Connection connection = DriverManager.getConnection(url + options + mode);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SHOW VERSION")) {
        row.next();
      } catch (SQLException e) {
        System.err.println("pgring: " + e.getMessage());
        return false;
      }
    }
    return true;
  }
}
