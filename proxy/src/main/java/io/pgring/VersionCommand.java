package io.pgring;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Name and version as the jar's manifest has them. */
  static String text() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return "pgring " + (version == null ? "(unpackaged)" : version);
  }

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(text());
    return 0;
  }
}
