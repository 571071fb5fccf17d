package io.pgring.bench.verify;

import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Faults;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.check.ServerSessions;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Sql;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.ratio.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What sessions that do not get on cost those that do: nothing. */
final class StallCheck implements LongCheck {
  private static final int ROUNDS = 7;
  private static final int CLIENTS = 10;
  private static final int WARMUP_SECONDS = 5;
  private static final int LIMIT_SECONDS = 30;

  /**
   * Equal runs differ by more than this in single rounds on a busy machine, but not in three rounds
   * of four and always to the same side.
   */
  private static final double RATIO_LIMIT = 1.25;

  @Override
  public String name() {
    return "stall";
  }

  @Override
  public String purpose() {
    return "clients and servers that do not read, and waiting clients, leave the others' p99 alone";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args).withoutPeer();
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      Account staller = stand.anotherAccount("staller");
      Front front = stand.pgring(List.of(), staller);
      Sql sql = new Sql(workbench, stand.account());
      StalledSessions.prepare(sql, stand.server().endpoint());
      Measure measure = new Measure(workbench, stand, front, staller, options, sql);
      measure.alone(WARMUP_SECONDS);
      for (int round = 0; round < options.roundsOr(ROUNDS); round++) {
        measure.round(round % 2 == 0);
      }
      return measure.verdict() & Faults.none(front.process()) ? 0 : 1;
    }
  }

  private static final class Measure {
    private final Stand stand;
    private final Front front;
    private final Account staller;
    private final CheckOptions options;
    private final Sql sql;
    private final Pgbench pgbench;
    private final ServerSessions sessions;
    private final List<Double> ratios = new ArrayList<>();
    private boolean asExpected = true;

    Measure(
        Workbench workbench,
        Stand stand,
        Front front,
        Account staller,
        CheckOptions options,
        Sql sql) {
      this.stand = stand;
      this.front = front;
      this.staller = staller;
      this.options = options;
      this.sql = sql;
      this.pgbench = new Pgbench(workbench, stand.account());
      this.sessions = new ServerSessions(sql, stand.server().endpoint());
    }

    /** Either comes first in every other round, so that a drift favours neither. */
    void round(boolean stalledFirst) {
      double stalled = stalledFirst ? besideStalled() : 0;
      double alone = alone(options.seconds());
      stalled = stalledFirst ? stalled : besideStalled();
      ratios.add(stalled / alone);
      System.out.printf(
          Locale.ROOT,
          "p99 %.2f ms beside stalled sessions, %.2f ms without: %.2f%n",
          stalled,
          alone,
          stalled / alone);
    }

    private double besideStalled() {
      double p99;
      try (StalledSessions stalled =
          StalledSessions.open(
              front.endpoint(), staller, stand.poolSize(), sql, stand.server().endpoint())) {
        p99 = alone(options.seconds());
        asExpected &= stalled.stopped(sql, stand.server().endpoint());
      }
      asExpected &= sessions.awaitIdle(2 * stand.poolSize(), LIMIT_SECONDS);
      return p99;
    }

    double alone(int seconds) {
      return pgbench
          .run(
              front.endpoint(),
              Workload.timed(Mode.S, Protocol.EXTENDED, options.clientsOr(CLIENTS), seconds))
          .log()
          .p99Millis();
    }

    boolean verdict() {
      double[] all = ratios.stream().mapToDouble(Double::doubleValue).toArray();
      double quartile = Quantiles.lowerQuartile(all);
      System.out.printf(
          Locale.ROOT,
          "p99 with / without stalled sessions: median %.2f, lower quartile %.2f (limit %.2f)%n",
          Quantiles.median(all),
          quartile,
          RATIO_LIMIT);
      return asExpected && quartile <= RATIO_LIMIT;
    }
  }
}
