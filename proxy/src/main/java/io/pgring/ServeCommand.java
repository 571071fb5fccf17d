package io.pgring;

import io.pgring.configfile.ConfigFile;
import io.pgring.configfile.ConnectionUri;
import io.pgring.configfile.LoadedConfig;
import io.pgring.transport.Address;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs the proxy in the foreground, with a configuration file or in front of the one server that a
 * URI names.
 */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Run the proxy in the foreground until SIGTERM or SIGINT.")
final class ServeCommand implements Callable<Integer> {
  private static final String DEFAULT_LISTEN = "127.0.0.1:6432";

  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "Where clients connect, only with --to: host:port or unix:/path. Default: "
              + DEFAULT_LISTEN
              + ".")
  private String listen;

  /** What to serve: one of the two. */
  private static final class Source {
    @Parameters(paramLabel = "FILE", description = "The configuration file.")
    private Path file;

    @Option(
        names = "--to",
        paramLabel = "URI",
        description = {
          "Serve without a file: postgresql://user@host:port/database.",
          "The password is taken from PGPASSWORD, or asked for at a terminal."
        })
    private String uri;
  }

  @Override
  public Integer call() {
    return source.uri == null ? serveFile() : serveUri();
  }

  private int serveFile() {
    if (listen != null) {
      throw new ParameterException(
          spec.commandLine(), "--listen is for --to; in a file, write listen");
    }
    return serve(() -> ConfigFile.load(source.file), port -> {});
  }

  private int serveUri() {
    ConnectionUri uri;
    Address address;
    try {
      uri = ConnectionUri.parse(source.uri);
      address = Address.parse(listen == null ? DEFAULT_LISTEN : listen);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
    String password = password(uri);
    LoadedConfig loaded = uri.load(address, password);
    return serve(() -> loaded, port -> explain(uri, address, port, password != null));
  }

  private int serve(Supplier<LoadedConfig> configuration, IntConsumer whenListening) {
    LoadedConfig loaded = configuration.get();
    PrintWriter err = spec.commandLine().getErr();
    loaded.problems().forEach(err::println);
    if (!loaded.isUsable()) {
      return CommandLine.ExitCode.USAGE;
    }
    return new Service(loaded.config(), configuration).run(whenListening);
  }

  private void explain(ConnectionUri uri, Address address, int tcpPort, boolean hasPassword) {
    String host =
        address.isUnix() ? Path.of(address.path()).getParent().toString() : reachable(address);
    String port =
        address.isUnix()
            ? address.path().substring(address.path().lastIndexOf('.') + 1)
            : String.valueOf(tcpPort);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "connect with:  psql -h %s -p %s -U %s -d %s%n",
        host, port, quoted(uri.user()), quoted(uri.database()));
    out.printf(
        "the same as a file for 'pgring serve FILE':%n%n%s%n", uri.yaml(address, hasPassword));
    out.flush();
  }

  /** A host by which this machine is reached, where the address means all of them. */
  private static String reachable(Address address) {
    return switch (address.host()) {
      case "*", "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> address.host();
    };
  }

  /** As a word of the shell. */
  private static String quoted(String name) {
    return name.matches("[A-Za-z0-9_.@-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
  }

  /** From the URI, PGPASSWORD or the terminal, in this order; null for none. */
  private static String password(ConnectionUri uri) {
    if (uri.password() != null) {
      return uri.password();
    }
    String password = System.getenv(ConnectionUri.PASSWORD_VARIABLE);
    Console console = System.console();
    if (password == null && console != null && isTerminal(console)) {
      char[] typed = console.readPassword("Password for user %s (empty: none): ", uri.user());
      password = typed == null ? null : String.valueOf(typed);
    }
    return password == null || password.isEmpty() ? null : password;
  }

  /** From Java 22 on there is a console even without a terminal, and a method that tells. */
  private static boolean isTerminal(Console console) {
    try {
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJava) {
      return true;
    }
  }
}
