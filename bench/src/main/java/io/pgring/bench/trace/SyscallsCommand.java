package io.pgring.bench.trace;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Daemon;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Programs;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.report.Checkout;
import io.pgring.bench.report.Machine;
import io.pgring.bench.report.PerfReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Counts the proxy's system calls per transaction. Two runs of different length are counted and
 * subtracted, so that connecting, logging in and warming up cancel out.
 */
@Command(
    name = "syscalls",
    description = "Count reads and writes per transaction of a pgring, with strace.",
    mixinStandardHelpOptions = true)
public final class SyscallsCommand implements Callable<Integer> {
  private static final int SHORT_RUN = 1;
  private static final int LONG_RUN = 5;
  private static final int WARMUP_CLIENTS = 10;
  private static final int LIMIT_SECONDS = 20;
  private static final long ATTACH_POLL_MILLIS = 50;

  @Mixin private TargetOptions target;
  @Mixin private LoadOptions load;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "1,50",
      description = "default: ${DEFAULT-VALUE}")
  private List<Integer> clients;

  @Option(
      names = "--transactions",
      defaultValue = "4000",
      description = "of the short run, all clients together (default: ${DEFAULT-VALUE})")
  private int transactions;

  @Option(names = "--record", description = "append the results to perf-reports/syscalls.jsonl")
  private boolean record;

  private Workbench workbench;
  private Pgbench pgbench;

  @Override
  public Integer call() {
    Path strace = Programs.required("strace", "strace");
    try (Workbench opened = Workbench.open()) {
      workbench = opened;
      Target proxy = target.open(workbench, List.of());
      pgbench = new Pgbench(workbench, proxy.account());
      Workload warmup =
          Workload.timed(load.mode(), load.protocol(), WARMUP_CLIENTS, target.warmupSeconds());
      pgbench.run(proxy.endpoint(), warmup);
      for (int count : clients) {
        measure(strace, proxy.endpoint(), count);
      }
    }
    return 0;
  }

  private void measure(Path strace, Endpoint endpoint, int count) {
    int perClient = Math.max(1, transactions / count);
    StraceSummary shorter = trace(strace, endpoint, count, perClient * SHORT_RUN);
    StraceSummary longer = trace(strace, endpoint, count, perClient * LONG_RUN);
    StraceSummary growth = shorter.growthTo(longer);
    double measured = (double) perClient * count * (LONG_RUN - SHORT_RUN);
    Map<String, Object> perTransaction = new TreeMap<>();
    growth.calls().forEach((name, calls) -> perTransaction.put(name, calls / measured));
    perTransaction.values().removeIf(calls -> Math.abs((double) calls) < 0.005);
    double reads = growth.reads() / measured;
    double writes = growth.writes() / measured;
    System.out.printf(
        Locale.ROOT,
        "%s, %s, %d client%s: %.2f reads + %.2f writes = %.2f per transaction%n",
        load.mode().label(),
        load.protocol().label(),
        count,
        count == 1 ? "" : "s",
        reads,
        writes,
        reads + writes);
    perTransaction.forEach(
        (name, calls) -> System.out.printf(Locale.ROOT, "  %-16s %6.2f%n", name, calls));
    if (record) {
      append(endpoint, count, reads, writes, perTransaction);
    }
  }

  private StraceSummary trace(Path strace, Endpoint endpoint, int count, int perClient) {
    Path summary = workbench.directory().resolve("strace.txt");
    String pid = endpoint.pids().get(0).toString();
    Daemon tracer =
        workbench.start(
            "strace",
            List.of(strace.toString(), "-c", "-f", "-p", pid, "-o", summary.toString()),
            Map.of());
    awaitAttached(tracer, pid);
    pgbench.run(
        endpoint,
        Workload.timed(load.mode(), load.protocol(), count, 0).counted(perClient).logging(0));
    tracer.terminate();
    tracer.await(LIMIT_SECONDS);
    try {
      return StraceSummary.parse(Files.readAllLines(summary));
    } catch (IOException e) {
      throw new BenchFailure("strace left no summary: " + tracer.log(), e);
    } finally {
      workbench.release(tracer);
    }
  }

  /** Waits until every thread of the process names a tracer. */
  private static void awaitAttached(Daemon tracer, String pid) {
    while (!tracedThroughout(pid)) {
      tracer.requireAlive();
      Pause.millis(ATTACH_POLL_MILLIS);
    }
  }

  private static boolean tracedThroughout(String pid) {
    try (var tasks = Files.newDirectoryStream(Path.of("/proc", pid, "task"))) {
      for (Path task : tasks) {
        if (Files.readString(task.resolve("status")).contains("TracerPid:\t0\n")) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      // A thread ended while it was looked at; look again.
      return false;
    }
  }

  private void append(
      Endpoint endpoint,
      int count,
      double reads,
      double writes,
      Map<String, Object> perTransaction) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("endpoint", endpoint.name());
    figures.put("mode", load.mode().label());
    figures.put("protocol", load.protocol().label());
    figures.put("clients", count);
    figures.put("reads", reads);
    figures.put("writes", writes);
    figures.put("calls", perTransaction);
    PerfReports.ofCheckout()
        .append("syscalls", Checkout.commit(workbench), Machine.current(), figures);
  }
}
