package io.pgring;

import io.pgring.demo.DemoCommand;
import io.pgring.transport.resolve.NameLookup;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of the process. Exit codes: 0 well done, 1 it failed, 2 wrong arguments or a
 * wrong configuration.
 */
@Command(
    name = "pgring",
    description = "A pooling proxy for PostgreSQL.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      ServeCommand.class,
      CheckCommand.class,
      VersionCommand.class,
      RehearseCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    // Before anything looks a name up: it turns off the JVM's own cache of addresses.
    NameLookup.system();
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setParameterExceptionHandler(Main::wrongArguments)
        .setExecutionExceptionHandler(Main::failed);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command is given");
  }

  private static int wrongArguments(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("pgring: " + wrong.getMessage().replaceFirst("^Error: ", ""));
    UnmatchedArgumentException.printSuggestions(wrong, err);
    CommandSpec spec = command.getCommandSpec();
    err.println(
        "'pgring help"
            + (spec.parent() == null ? "" : " " + spec.name())
            + "' shows what there is.");
    return CommandLine.ExitCode.USAGE;
  }

  private static int failed(
      Exception failure, CommandLine command, CommandLine.ParseResult arguments) {
    failure.printStackTrace(command.getErr());
    return CommandLine.ExitCode.SOFTWARE;
  }
}
