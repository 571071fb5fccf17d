package io.pgring.bench.ratio;

import io.pgring.bench.fixture.StandOptions;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.ProcessClock;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.report.BusyProcesses;
import io.pgring.bench.report.Checkout;
import io.pgring.bench.report.Machine;
import io.pgring.bench.report.PerfReports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs pgbench against several endpoints in interleaved rounds and compares them. */
@Command(
    name = "ratio",
    description = {
      "Compare endpoints under pgbench, side by side, in one run.",
      "Without endpoints everything is started here: PostgreSQL, PgBouncer (when installed, in "
          + "transaction mode) and pgring (one fused lane); all of it is stopped at the end.",
      "Every round runs every endpoint once, in a rotated order. Absolute figures mean nothing "
          + "outside one run; quote the ratios."
    },
    mixinStandardHelpOptions = true)
public final class RatioCommand implements Callable<Integer> {
  private static final int WARMUP_CLIENTS = 10;

  @Parameters(
      paramLabel = "NAME=HOST:PORT[:PID,PID...]",
      description =
          "an endpoint, and the processes whose time counts; HOST may be a socket's directory; the "
              + "first is the reference; names that begin with pgbouncer compete for the fastest; "
              + "PGPASSWORD is used")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--only",
      split = ",",
      defaultValue = "direct,pgbouncer,pgring",
      description = "what to start, the first is the reference (default: ${DEFAULT-VALUE})")
  private List<String> only;

  @Option(
      names = "--pgbouncer-pools",
      split = ",",
      defaultValue = "4,8,20",
      description = "pool sizes of PgBouncer, one instance each (default: ${DEFAULT-VALUE})")
  private List<Integer> pgBouncerPools;

  @Option(names = "--rounds", defaultValue = "11", description = "default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--secs",
      defaultValue = "4",
      description = "seconds of each run (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--warmup",
      defaultValue = "15",
      description = "seconds for each endpoint, mode and protocol (default: ${DEFAULT-VALUE})")
  private int warmupSeconds;

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "1,10,50,100",
      description = "default: ${DEFAULT-VALUE}")
  private List<Integer> clients;

  @Option(
      names = "--modes",
      split = ",",
      defaultValue = "S",
      description = "S (one SELECT) and tpcb (default: ${DEFAULT-VALUE})")
  private List<Mode> modes;

  @Option(
      names = "--proto",
      split = ",",
      defaultValue = "simple",
      description = "simple, extended, prepared (default: ${DEFAULT-VALUE})")
  private List<Protocol> protocols;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "threads of pgbench (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(names = "--reconnect", description = "a connection for each transaction (pgbench -C)")
  private boolean reconnect;

  @Option(names = "--record", description = "append the results to perf-reports/ratio.jsonl")
  private boolean record;

  @Mixin private StandOptions standOptions;

  private Pgbench pgbench;

  @Override
  public Integer call() {
    try (Workbench workbench = Workbench.open()) {
      Contenders contenders =
          endpoints.isEmpty()
              ? Contenders.started(workbench, standOptions, only, pgBouncerPools)
              : Contenders.given(workbench, standOptions, endpoints);
      pgbench = new Pgbench(workbench, contenders.account());
      String commit = Checkout.commit(workbench);
      announce(contenders, commit);
      for (Mode mode : modes) {
        for (Protocol protocol : protocols) {
          compare(mode, protocol, contenders, commit);
        }
      }
    }
    return 0;
  }

  private void announce(Contenders contenders, String commit) {
    System.out.println("commit     " + commit);
    System.out.println("machine    " + Machine.current().fields());
    System.out.println("server     " + contenders.settings());
    System.out.println("PgBouncer  " + contenders.pgBouncerText());
    System.out.println("load       " + Machine.loadAverage());
    for (String busy : BusyProcesses.watch()) {
      System.out.println("WARNING: something else is busy: " + busy);
    }
    long parts = (long) modes.size() * protocols.size() * contenders.endpoints().size();
    long perPart = (long) clients.size() * rounds * seconds + warmupSeconds;
    System.out.printf("takes about %d min%n%n", Math.max(1, parts * perPart / 60));
  }

  private void compare(Mode mode, Protocol protocol, Contenders contenders, String commit) {
    List<Endpoint> able = contenders.able(protocol);
    if (able.size() < contenders.endpoints().size()) {
      System.out.println("this PgBouncer has no prepared statements in transaction mode: left out");
    }
    if (able.isEmpty()) {
      return;
    }
    if (warmupSeconds > 0) {
      RatioCase warmup = new RatioCase(mode, protocol, WARMUP_CLIENTS);
      able.forEach(endpoint -> pgbench.run(endpoint, workload(warmup, warmupSeconds)));
    }
    List<String> pgBouncers =
        able.stream().filter(Endpoint::pgBouncer).map(Endpoint::name).toList();
    for (int count : clients) {
      RatioCase ratioCase = new RatioCase(mode, protocol, count);
      CaseReport report = new CaseReport(ratioCase, measure(ratioCase, able), pgBouncers);
      System.out.println(report.text());
      if (record) {
        append(report, contenders, commit);
      }
    }
  }

  private Rounds measure(RatioCase ratioCase, List<Endpoint> contenders) {
    Rounds result = new Rounds();
    for (int round = 0; round < rounds; round++) {
      for (Endpoint endpoint : Rotation.order(contenders, round)) {
        result.add(endpoint.name(), sample(endpoint, workload(ratioCase, seconds)));
      }
    }
    return result;
  }

  private Sample sample(Endpoint endpoint, Workload workload) {
    long before = ProcessClock.cpuMicros(endpoint.pids());
    Pgbench.Figures figures = pgbench.run(endpoint, workload);
    long used = ProcessClock.cpuMicros(endpoint.pids()) - before;
    double perTransaction =
        endpoint.pids().isEmpty() ? Double.NaN : (double) used / figures.output().transactions();
    return new Sample(figures.output().tps(), perTransaction, figures.log().p99Millis());
  }

  private Workload workload(RatioCase ratioCase, int runSeconds) {
    Workload workload = ratioCase.workload(runSeconds, threads);
    return reconnect ? workload.reconnecting() : workload;
  }

  private void append(CaseReport report, Contenders contenders, String commit) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("server", contenders.settings());
    figures.put("pgbouncer", contenders.pgBouncerText());
    figures.put("rounds", rounds);
    figures.put("seconds", seconds);
    figures.put("threads", threads);
    figures.put("reconnect", reconnect);
    figures.putAll(report.figures());
    PerfReports.ofCheckout().append("ratio", commit, Machine.current(), figures);
  }
}
