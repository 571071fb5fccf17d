package io.pgring.admin.show;

import io.pgring.config.PgringConfig;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Makes the tables of the SHOW commands. Any thread; what belongs to a lane is sampled by that
 * lane, and the table is made by the lane that answers last.
 */
public final class Reports {
  private final String version;
  private final StatsPeriods periods = new StatsPeriods(System.nanoTime());

  /**
   * @param version what SHOW VERSION shows
   */
  public Reports(String version) {
    this.version = version;
  }

  /** Ends a period of the averages in SHOW STATS. */
  public void endPeriod(Shared shared) {
    samples(shared).thenAccept(lanes -> periods.end(LaneSample.pools(lanes), System.nanoTime()));
  }

  /** The table of a report. */
  public CompletableFuture<Table> table(Report report, Shared shared) {
    return rows(report, shared).thenApply(rows -> new Table(report.columns(), rows));
  }

  private CompletableFuture<List<Object[]>> rows(Report report, Shared shared) {
    return switch (report) {
      case CLIENTS -> joined(shared, ConnectionRows::clients);
      case SERVERS -> joined(shared, ConnectionRows::servers);
      case PINS -> joined(shared, PinRows::of);
      case POOLS -> summary(shared, SummaryRows::pools);
      case DATABASES -> summary(shared, SummaryRows::databases);
      case USERS -> summary(shared, SummaryRows::users);
      case LISTS -> summary(shared, SummaryRows::lists);
      case STATS -> stats(shared, true, true);
      case STATS_TOTALS -> stats(shared, true, false);
      case STATS_AVERAGES -> stats(shared, false, true);
      case CONFIG -> CompletableFuture.completedFuture(SummaryRows.config(shared.config()));
      case STATE -> CompletableFuture.completedFuture(state(shared));
      case VERSION -> CompletableFuture.completedFuture(List.<Object[]>of(new Object[] {version}));
    };
  }

  private static CompletableFuture<List<Object[]>> joined(
      Shared shared, Function<RelayStage, List<Object[]>> rows) {
    return shared.askLanes(rows).thenApply(lanes -> lanes.stream().flatMap(List::stream).toList());
  }

  private static CompletableFuture<List<LaneSample>> samples(Shared shared) {
    PgringConfig config = shared.config();
    return shared.askLanes(relay -> LaneSample.of(relay, config));
  }

  private static CompletableFuture<List<Object[]>> summary(
      Shared shared, Function<SummaryRows, List<Object[]>> rows) {
    return samples(shared).thenApply(lanes -> rows.apply(new SummaryRows(shared, lanes)));
  }

  private CompletableFuture<List<Object[]>> stats(Shared shared, boolean totals, boolean averages) {
    return samples(shared)
        .thenApply(
            lanes ->
                StatsRows.rows(
                    LaneSample.pools(lanes), periods, totals, averages, System.nanoTime()));
  }

  private static List<Object[]> state(Shared shared) {
    boolean paused = shared.pauses().coversAll();
    return List.of(
        new Object[] {"active", paused ? "no" : "yes"},
        new Object[] {"paused", paused ? "yes" : "no"},
        new Object[] {"suspended", "no"});
  }
}
