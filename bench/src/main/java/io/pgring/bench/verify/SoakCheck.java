package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Descriptors;
import io.pgring.bench.check.Faults;
import io.pgring.bench.check.Footprint;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Output;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.ratio.Quantiles;
import io.pgring.bench.trace.Jcmd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** A mixed load for a long time, and whether what the proxy holds grows with it. */
final class SoakCheck implements LongCheck {
  private static final double MINUTES = 30;
  private static final int CLIENTS = 20;
  private static final int RECONNECTING_CLIENTS = 4;
  private static final int WARMUP_SECONDS = 15;
  private static final int SAMPLES = 40;
  private static final int EXIT_LIMIT_SECONDS = 60;
  private static final double MEBIBYTE = 1 << 20;

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public String purpose() {
    return "half an hour of mixed load: heap, direct memory, descriptors and threads do not grow";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args).withoutPeer();
    int seconds = options.totalSecondsOr(MINUTES);
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      Front front = stand.pgring(List.of("-XX:NativeMemoryTracking=summary"));
      List<Pgbench.Run> loads =
          load(workbench, stand, front, options.clientsOr(CLIENTS), seconds + WARMUP_SECONDS);
      try (DisorderlyClients disorderly = DisorderlyClients.start(front, stand.account())) {
        Pause.millis(TimeUnit.SECONDS.toMillis(WARMUP_SECONDS));
        List<Sample> samples = observe(workbench, front, seconds);
        boolean held = steady(samples) & disorderly.served();
        for (Pgbench.Run run : loads) {
          held &= clean(run.process().await(EXIT_LIMIT_SECONDS));
        }
        return held & Faults.none(front.process()) ? 0 : 1;
      }
    }
  }

  private static List<Pgbench.Run> load(
      Workbench workbench, Stand stand, Front front, int clients, int seconds) {
    Pgbench pgbench = new Pgbench(workbench, stand.account());
    List<Pgbench.Run> runs = new ArrayList<>();
    for (Workload workload :
        List.of(
            Workload.timed(Mode.TPCB, Protocol.SIMPLE, clients, seconds),
            Workload.timed(Mode.TPCB, Protocol.EXTENDED, clients, seconds),
            Workload.timed(Mode.S, Protocol.PREPARED, clients, seconds),
            Workload.timed(Mode.S, Protocol.SIMPLE, RECONNECTING_CLIENTS, seconds)
                .reconnecting())) {
      runs.add(pgbench.start(front.endpoint(), workload.logging(0)));
    }
    return runs;
  }

  private static boolean clean(Output output) {
    if (output.exitStatus() != 0) {
      System.out.println("  pgbench failed:\n" + Output.tail(output.text()));
    }
    return output.exitStatus() == 0;
  }

  private static List<Sample> observe(Workbench workbench, Front front, int seconds) {
    long pid = front.process().pid();
    Jcmd jcmd = new Jcmd(workbench, pid);
    long startNs = System.nanoTime();
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      long dueNs = startNs + TimeUnit.SECONDS.toNanos(seconds) * (i + 1) / (SAMPLES + 1);
      Pause.millis(Math.max(0, TimeUnit.NANOSECONDS.toMillis(dueNs - System.nanoTime())));
      front.process().requireAlive();
      samples.add(Sample.of(jcmd, pid));
    }
    return samples;
  }

  private static boolean steady(List<Sample> samples) {
    return steady("heap, MiB", samples, sample -> sample.memory().heap() / MEBIBYTE, 2)
        & steady("direct memory, MiB", samples, sample -> sample.memory().direct() / MEBIBYTE, 2)
        & steady("descriptors", samples, Sample::descriptors, 20)
        & steady("threads", samples, Sample::threads, 2);
  }

  /** Compares the medians of the first and the last quarter. */
  private static boolean steady(
      String what, List<Sample> samples, ToDoubleFunction<Sample> value, double allowedGrowth) {
    int quarter = samples.size() / 4;
    double first = median(samples.subList(0, quarter), value);
    double last = median(samples.subList(samples.size() - quarter, samples.size()), value);
    boolean held = last <= first + allowedGrowth;
    System.out.printf(
        Locale.ROOT,
        "%-20s %8.2f in the first quarter, %8.2f in the last: %s%n",
        what,
        first,
        last,
        held ? "ok" : "GROWN");
    return held;
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return Quantiles.median(samples.stream().mapToDouble(value).toArray());
  }

  /**
   * What the proxy holds at one moment.
   *
   * @param memory its memory
   * @param descriptors its open files and sockets
   * @param threads its threads
   */
  private record Sample(Footprint memory, int descriptors, int threads) {
    static Sample of(Jcmd jcmd, long pid) {
      return new Sample(Footprint.ofJvm(jcmd, pid), Descriptors.open(pid), threads(pid));
    }

    private static int threads(long pid) {
      try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
        return (int) threads.count();
      } catch (IOException e) {
        throw new BenchFailure("process " + pid + " is gone", e);
      }
    }
  }
}
