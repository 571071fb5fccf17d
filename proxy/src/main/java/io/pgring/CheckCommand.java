package io.pgring;

import io.pgring.configfile.ConfigFile;
import io.pgring.configfile.LoadedConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a configuration file and says all that is wrong with it. Starts nothing. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description =
        "Check a configuration file: all its errors at once. Exits with 2 if there are any.")
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The configuration file.")
  private Path file;

  @Override
  public Integer call() {
    LoadedConfig loaded = ConfigFile.load(file);
    PrintWriter err = spec.commandLine().getErr();
    loaded.problems().forEach(err::println);
    if (!loaded.isUsable()) {
      return CommandLine.ExitCode.USAGE;
    }
    spec.commandLine().getOut().println(file + " is a valid configuration");
    return CommandLine.ExitCode.OK;
  }
}
