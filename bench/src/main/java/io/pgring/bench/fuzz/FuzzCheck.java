package io.pgring.bench.fuzz;

import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Descriptors;
import io.pgring.bench.check.Faults;
import io.pgring.bench.check.Footprint;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.check.ServerSessions;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Sql;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.trace.Jcmd;
import java.util.List;
import java.util.Locale;

/** Hostile clients for minutes, with the proxy's memory, descriptors and log looked at. */
public final class FuzzCheck implements LongCheck {
  private static final double MINUTES = 2;
  private static final int WARMUP_CASES = 1_000;
  private static final int IDLE_LIMIT_SECONDS = 30;
  private static final int SHOWN_FAILURES = 10;
  private static final int SPARE_DESCRIPTORS = 20;
  private static final double MEBIBYTE = 1 << 20;

  /** Heap and direct memory; buffers that are kept for reuse grow to the busiest moment. */
  private static final long GROWTH_LIMIT_BYTES = 24L << 20;

  @Override
  public String name() {
    return "fuzz";
  }

  @Override
  public String purpose() {
    return "damaged conversations for minutes: served on, no fault, bounded memory, no leak";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args).withoutPeer();
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      Sql sql = new Sql(workbench, stand.account());
      Account hostile = stand.anotherAccount("hostile");
      prepare(sql, stand);
      Front front = stand.pgring(List.of("-XX:NativeMemoryTracking=summary"), hostile);
      long seed = options.seed();
      FuzzRun run = FuzzRun.prepare(front.endpoint(), hostile, stand.account(), seed);
      run.run(WARMUP_CASES);
      Footprint before = footprint(workbench, front);
      int descriptors = Descriptors.open(front.process().pid());
      run.runFor(options.totalSecondsOr(MINUTES));
      front.process().requireAlive();
      boolean held =
          new ServerSessions(sql, stand.server().endpoint())
              .awaitIdle(2 * stand.poolSize(), IDLE_LIMIT_SECONDS);
      held &= report(run, seed);
      held &= bounded(before.growthTo(footprint(workbench, front)));
      int more = Descriptors.open(front.process().pid()) - descriptors;
      System.out.printf("%d descriptors more than after the first cases%n", more);
      held &= more <= SPARE_DESCRIPTORS;
      return held & Faults.none(front.process()) ? 0 : 1;
    }
  }

  /** A damaged statement must not run for long. */
  private static void prepare(Sql sql, Stand stand) {
    for (String statement :
        List.of(
            "create table " + DriverTraffic.TABLE + " (i int, t text)",
            "grant all on " + DriverTraffic.TABLE + " to public",
            "alter role hostile set statement_timeout = '3s'")) {
      sql.query(stand.server().endpoint(), statement);
    }
  }

  private static Footprint footprint(Workbench workbench, Front front) {
    long pid = front.process().pid();
    return Footprint.ofJvm(new Jcmd(workbench, pid), pid);
  }

  private static boolean report(FuzzRun run, long seed) {
    List<String> failures = run.failures();
    System.out.printf(
        "%d cases from --seed %d: %d failed%n", run.nextSeed() - seed, seed, failures.size());
    failures.stream().limit(SHOWN_FAILURES).forEach(failure -> System.out.println("  " + failure));
    return failures.isEmpty();
  }

  private static boolean bounded(Footprint growth) {
    System.out.printf(
        Locale.ROOT,
        "growth in MiB: heap %.1f, direct %.1f, resident %.1f%n",
        growth.heap() / MEBIBYTE,
        growth.direct() / MEBIBYTE,
        growth.resident() / MEBIBYTE);
    return growth.heap() + growth.direct() <= GROWTH_LIMIT_BYTES;
  }
}
