package io.pgring.bench.trace;

import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Workbench;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks that steady traffic causes no collection of the heap. */
@Command(
    name = "gc",
    description = "Check that pgring's heap is not collected during steady SELECTs.",
    mixinStandardHelpOptions = true)
public final class GcCommand implements Callable<Integer> {
  private static final Pattern INVOCATIONS =
      Pattern.compile("(?m)^sun\\.gc\\.collector\\.\\d+\\.invocations=\\d+");
  private static final int CLIENTS = 10;

  /** The load goes on while the counters are read. */
  private static final int MARGIN_SECONDS = 5;

  @Mixin private TargetOptions target;

  @Option(
      names = "--secs",
      defaultValue = "60",
      description = "how long to watch (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(names = "--proto", defaultValue = "simple", description = "default: ${DEFAULT-VALUE}")
  private Protocol protocol;

  @Override
  public Integer call() {
    try (Workbench workbench = Workbench.open()) {
      Target proxy = target.open(workbench, List.of());
      Pgbench pgbench = new Pgbench(workbench, proxy.account());
      Jcmd jcmd = new Jcmd(workbench, proxy.endpoint().pids().get(0));
      // One run holds the warm-up too: logins allocate, and they are not what is measured.
      int wholeSeconds = target.warmupSeconds() + seconds + MARGIN_SECONDS;
      Pgbench.Run run =
          pgbench.start(proxy.endpoint(), Workload.timed(Mode.S, protocol, CLIENTS, wholeSeconds));
      Pause.millis(target.warmupSeconds() * 1_000L);
      long before = invocations(jcmd);
      Pause.millis(seconds * 1_000L);
      run.process().requireAlive();
      long collections = invocations(jcmd) - before;
      run.await().orFail();
      System.out.printf(
          "%d collection%s of the heap in %d s of steady SELECTs over %d clients%n",
          collections, collections == 1 ? "" : "s", seconds, CLIENTS);
      return collections == 0 ? 0 : 1;
    }
  }

  private static long invocations(Jcmd jcmd) {
    return invocations(jcmd.run("PerfCounter.print"));
  }

  /** The sum over all collectors of a JVM, young and old. */
  static long invocations(String counters) {
    return INVOCATIONS
        .matcher(counters)
        .results()
        .map(MatchResult::group)
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
        .sum();
  }
}
