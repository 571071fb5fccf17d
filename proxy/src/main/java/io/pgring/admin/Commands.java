package io.pgring.admin;

import io.pgring.admin.show.Column;
import io.pgring.admin.show.Report;
import io.pgring.admin.show.Reports;
import io.pgring.admin.show.Table;
import io.pgring.relay.Shared;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the commands do, for one user. Used on the relay thread of the session; waits for nothing.
 */
final class Commands {
  private static final Logger LOG = LoggerFactory.getLogger(Commands.class);
  private static final String HELP =
      """

      \tSHOW HELP|CONFIG|DATABASES|POOLS|CLIENTS|SERVERS|USERS|VERSION
      \tSHOW LISTS|PINS|STATE|STATS|STATS_TOTALS|STATS_AVERAGES
      \tRELOAD
      \tPAUSE [<db>]
      \tRESUME [<db>]
      \tKILL [<db>]
      \tRECONNECT [<db>]
      \tWAIT_CLOSE [<db>]
      \tDISABLE <db>
      \tENABLE <db>
      \tSET <key> = <value>
      \tSHUTDOWN
      \tSHUTDOWN WAIT_FOR_SERVERS""";

  /** PgBouncer's commands that are not here. */
  private static final Map<String, String> UNSUPPORTED =
      Map.of(
          "KILL_CLIENT",
          "KILL ends all clients of a database.",
          "SUSPEND",
          "It serves PgBouncer's restart with open connections, which pgring does not have. PAUSE"
              + " keeps clients from the server.");

  private static final Set<String> UNSUPPORTED_REPORTS =
      Set.of(
          "ACTIVE_SOCKETS",
          "DNS_HOSTS",
          "DNS_ZONES",
          "FDS",
          "MEM",
          "PEERS",
          "PEER_POOLS",
          "SOCKETS",
          "TOTALS");

  private final String user;
  private final Shared shared;
  private final Reports reports;
  private final Operations operations;
  private final Administration administration;
  private final Map<String, String> parameters;

  Commands(
      String user,
      Shared shared,
      Reports reports,
      Operations operations,
      Administration administration,
      Map<String, String> parameters) {
    this.user = user;
    this.shared = shared;
    this.reports = reports;
    this.operations = operations;
    this.administration = administration;
    this.parameters = parameters;
  }

  /**
   * The columns that a command will return; null when it returns no rows.
   *
   * @throws ConsoleError when there is no such command
   */
  List<Column> columns(Command command) {
    if (!command.verb().equals("SHOW") || isHelp(command)) {
      return null;
    }
    Report report = Report.named(shown(command));
    return report == null ? List.of(new Column(parameter(command), Column.TEXT)) : report.columns();
  }

  /**
   * Runs a command.
   *
   * @throws ConsoleError when it cannot be run; the result may also fail with one
   */
  CompletableFuture<Result> run(Command command) {
    return switch (command.verb()) {
      case "SHOW" -> show(command);
      case "RELOAD" -> reload(command);
      case "PAUSE" -> administration.pause(administrative(command).optionalArgument());
      case "RESUME" -> done(administration.resume(administrative(command).optionalArgument()));
      case "KILL" -> administration.kill(administrative(command).optionalArgument());
      case "RECONNECT" -> administration.reconnect(administrative(command).optionalArgument());
      case "WAIT_CLOSE" -> administration.waitClose(administrative(command).optionalArgument());
      case "DISABLE" -> done(administration.disable(database(command)));
      case "ENABLE" -> done(administration.enable(database(command)));
      case "SHUTDOWN" -> shutDown(command);
      case "SET" -> set(command);
      // Drivers that are not in autocommit mode send these of themselves.
      case "BEGIN", "START" -> done(Result.of("BEGIN"));
      case "COMMIT", "END" -> done(Result.of("COMMIT"));
      case "ROLLBACK", "ABORT" -> done(Result.of("ROLLBACK"));
      default -> throw unknown(command);
    };
  }

  private static ConsoleError unknown(Command command) {
    String instead = UNSUPPORTED.get(command.verb());
    if (instead != null) {
      return new ConsoleError("0A000", command.verb() + " is not supported", instead);
    }
    return new ConsoleError("42601", "invalid command '" + command + "'", "Use SHOW HELP.");
  }

  private static CompletableFuture<Result> done(Result result) {
    return CompletableFuture.completedFuture(result);
  }

  private Command administrative(Command command) {
    if (!shared.config().adminUsers().contains(user)) {
      throw new ConsoleError("42501", "admin access needed", null);
    }
    LOG.info("{} command issued by {}", command, user);
    return command;
  }

  private String database(Command command) {
    String database = administrative(command).optionalArgument();
    if (database == null) {
      throw new ConsoleError("42601", "a database is required", command.verb() + " <db>");
    }
    return database;
  }

  /** Gives up the command that is not answered yet. */
  void cancel() {
    administration.cancel();
  }

  // --- SHOW

  private CompletableFuture<Result> show(Command command) {
    if (isHelp(command)) {
      return done(new Result(null, HELP, "SHOW"));
    }
    Report report = Report.named(shown(command));
    if (report != null) {
      return reports.table(report, shared).thenApply(Result::of);
    }
    String value = parameters.get(parameter(command));
    return done(Result.of(new Table(columns(command), List.<Object[]>of(new Object[] {value}))));
  }

  private static boolean isHelp(Command command) {
    return "HELP".equalsIgnoreCase(shown(command));
  }

  private static String shown(Command command) {
    String argument = command.optionalArgument();
    if (argument == null) {
      throw unknown(command);
    }
    return argument;
  }

  /** The name of a setting that the console reports at login. */
  private String parameter(Command command) {
    String name = shown(command);
    for (String parameter : parameters.keySet()) {
      if (parameter.equalsIgnoreCase(name)) {
        return parameter;
      }
    }
    for (String report : UNSUPPORTED_REPORTS) {
      if (report.equalsIgnoreCase(name)) {
        throw new ConsoleError("0A000", "SHOW " + report + " is not supported", null);
      }
    }
    throw unknown(command);
  }

  // --- the process

  private CompletableFuture<Result> reload(Command command) {
    if (administrative(command).optionalArgument() != null) {
      throw unknown(command);
    }
    return operations
        .reload()
        .thenApply(
            errors -> {
              if (!errors.isEmpty()) {
                throw new ConsoleError(
                    "F0000",
                    "the configuration was not changed: " + String.join("\n", errors),
                    null);
              }
              return Result.of("RELOAD");
            });
  }

  private CompletableFuture<Result> shutDown(Command command) {
    String mode = command.optionalArgument();
    if (mode == null) {
      administrative(command);
      operations.shutDown(true);
    } else if (mode.equalsIgnoreCase("WAIT_FOR_SERVERS")) {
      administrative(command);
      operations.shutDown(false);
    } else if (mode.equalsIgnoreCase("WAIT_FOR_CLIENTS")) {
      throw new ConsoleError("0A000", command + " is not supported", null);
    } else {
      throw unknown(command);
    }
    return done(Result.of("SHUTDOWN"));
  }

  /** Drivers set things of their own at login, which mean nothing here; keys of pgring do. */
  private CompletableFuture<Result> set(Command command) {
    Setting setting = Setting.parse(command);
    if (setting == null) {
      return done(Result.of("SET"));
    }
    administrative(command);
    return administration.set(setting);
  }
}
