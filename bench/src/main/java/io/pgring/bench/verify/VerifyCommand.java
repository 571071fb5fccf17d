package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.check.LongCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** Lists the long checks, or runs one. */
@Command(
    name = "verify",
    description = "Run a long check; without a name, list them.",
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "the check")
  private String name;

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    if (name == null) {
      LongChecks.all()
          .forEach(check -> System.out.printf("%-10s %s%n", check.name(), check.purpose()));
      return 0;
    }
    LongCheck check =
        LongChecks.named(name)
            .orElseThrow(
                () -> new BenchFailure("no check is named " + name + "; verify alone lists them"));
    int status = 1;
    try {
      status = check.run(arguments.toArray(String[]::new));
    } finally {
      System.out.println("verify " + name + ": " + (status == 0 ? "passed" : "FAILED"));
    }
    return status;
  }
}
