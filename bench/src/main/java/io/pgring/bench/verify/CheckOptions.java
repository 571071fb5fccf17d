package io.pgring.bench.verify;

import io.pgring.bench.fixture.StandOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What may follow a check's name. Set once by picocli. */
@Command
final class CheckOptions {
  @Option(names = "--clients", description = "connections held at once (default: the check's own)")
  private int clients;

  @Option(
      names = "--secs",
      defaultValue = "6",
      description = "seconds of each part (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(names = "--peer", description = "check PgBouncer instead, for comparison")
  private boolean peer;

  @Mixin private StandOptions stand;

  static CheckOptions parse(String... args) {
    CheckOptions options = new CheckOptions();
    new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args);
    return options;
  }

  int clientsOr(int usual) {
    return clients == 0 ? usual : clients;
  }

  int seconds() {
    return seconds;
  }

  boolean peer() {
    return peer;
  }

  StandOptions stand() {
    return stand;
  }
}
