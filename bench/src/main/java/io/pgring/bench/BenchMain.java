package io.pgring.bench;

import io.pgring.bench.ratio.RatioCommand;
import io.pgring.bench.trace.GcCommand;
import io.pgring.bench.trace.ProfileCommand;
import io.pgring.bench.trace.SyscallsCommand;
import io.pgring.bench.verify.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the benchmarks and of the long checks. Runs on the main thread. */
@Command(
    name = "./pgring bench",
    description = "Measure pgring beside its peers, and run the long checks.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RatioCommand.class,
      SyscallsCommand.class,
      GcCommand.class,
      ProfileCommand.class,
      VerifyCommand.class
    })
public final class BenchMain {
  private BenchMain() {}

  /**
   * Runs one subcommand and ends the JVM with its exit status: 0 when all is well, 1 when a check
   * or a benchmark failed, 2 for a wrong command line.
   *
   * @param args the subcommand and its arguments
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, commandLine, parsed) -> {
              if (!(failure instanceof BenchFailure)) {
                throw failure;
              }
              commandLine.getErr().println("pgring: " + failure.getMessage());
              return CommandLine.ExitCode.SOFTWARE;
            });
  }
}
