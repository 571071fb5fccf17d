package io.pgring.bench.trace;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.report.Checkout;
import io.pgring.bench.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows where a loaded pgring spends its time and what it allocates. */
@Command(
    name = "profile",
    description =
        "Write flame graphs (CPU, allocation) and tables of the top frames of a pgring under load.",
    mixinStandardHelpOptions = true)
public final class ProfileCommand implements Callable<Integer> {
  private static final int ROWS = 30;

  /** The load begins before the recording and ends after it. */
  private static final int MARGIN_SECONDS = 5;

  @Spec private CommandSpec spec;
  @Mixin private TargetOptions target;
  @Mixin private LoadOptions load;

  @Option(
      names = "--events",
      split = ",",
      defaultValue = "cpu,alloc",
      description = "events of async-profiler, one run each (default: ${DEFAULT-VALUE})")
  private List<String> events;

  @Option(
      names = "--secs",
      defaultValue = "10",
      description = "seconds of each recording (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(names = "--clients", defaultValue = "50", description = "default: ${DEFAULT-VALUE}")
  private int clients;

  @Option(names = "--dir", description = "where to write (default: perf-reports)")
  private Path directory;

  @Override
  public Integer call() {
    Path reports = directory == null ? Checkout.root().resolve("perf-reports") : directory;
    if (!Files.isDirectory(reports)) {
      throw new BenchFailure(
          reports + " is not a directory; make it, or choose another with --dir");
    }
    try (Workbench workbench = Workbench.open()) {
      Target proxy = target.open(workbench, List.of());
      Pgbench pgbench = new Pgbench(workbench, proxy.account());
      AsyncProfiler profiler = new AsyncProfiler(workbench, proxy.endpoint().pids().get(0));
      if (target.warmupSeconds() > 0) {
        pgbench.run(proxy.endpoint(), workload(target.warmupSeconds()));
      }
      String commit = Checkout.commit(workbench);
      for (String event : events) {
        Path collapsed = workbench.directory().resolve(event + ".collapsed");
        Path flameGraph = reports.toAbsolutePath().resolve(name(event) + ".html");
        Pgbench.Run run = pgbench.start(proxy.endpoint(), workload(seconds + MARGIN_SECONDS));
        Pause.millis(MARGIN_SECONDS * 500L);
        profiler.start(event);
        Pause.millis(seconds * 1_000L);
        profiler.stop(event, collapsed, flameGraph, title(event, commit));
        run.await().orFail();
        write(reports.resolve(name(event) + ".md"), table(event, commit, collapsed));
        System.out.println("wrote " + flameGraph);
      }
    }
    return 0;
  }

  private Workload workload(int runSeconds) {
    return Workload.timed(load.mode(), load.protocol(), clients, runSeconds).logging(0);
  }

  private String name(String event) {
    return "profile-%s-%s-%s-%d"
        .formatted(event, load.mode().label(), load.protocol().label(), clients);
  }

  private String title(String event, String commit) {
    return "pgring %s: %s %s %d clients, commit %s"
        .formatted(event, load.mode().label(), load.protocol().label(), clients, commit);
  }

  private String table(String event, String commit, Path collapsed) {
    CollapsedStacks stacks = CollapsedStacks.parse(read(collapsed));
    String command = String.join(" ", spec.commandLine().getParseResult().originalArgs());
    String about =
        """
        # %s

        Written by `./pgring bench %s` at commit %s on %s.
        %d %s. [Flame graph](%s.html).

        """
            .formatted(
                title(event, commit),
                command,
                commit,
                Machine.current().fields(),
                stacks.samples(),
                event.equals("alloc") ? "bytes" : "samples",
                name(event));
    return about + (stacks.samples() == 0 ? "Nothing was recorded.\n" : stacks.topTable(ROWS));
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new BenchFailure("async-profiler wrote no " + file, e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new BenchFailure("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
