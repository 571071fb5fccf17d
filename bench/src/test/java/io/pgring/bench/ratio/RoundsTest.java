package io.pgring.bench.ratio;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Protocol;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class RoundsTest {
  /** Three rounds on a machine that slows down; the endpoints keep their proportion. */
  private static Rounds drifting() {
    Rounds rounds = new Rounds();
    for (double speed : new double[] {1_000, 100, 10}) {
      rounds.add("direct", new Sample(speed, Double.NaN, 1));
      rounds.add("pgbouncer-4", new Sample(speed * 0.5, 10, 4));
      rounds.add("pgbouncer-20", new Sample(speed * 0.8, 20, 2));
      rounds.add("pgring", new Sample(speed * 1.2, 15, 3));
    }
    return rounds;
  }

  @Test
  void ratiosAreTakenWithinARound() {
    Rounds.Comparison comparison = drifting().compare("pgring", "direct");
    assertThat(comparison.tps()).isEqualTo(1.2);
    assertThat(comparison.tpsLowerQuartile()).isEqualTo(1.2);
    assertThat(comparison.cpu()).isNaN();
    assertThat(comparison.p99()).isEqualTo(3);
  }

  @Test
  void theFastestPgBouncerCounts() {
    assertThat(drifting().best(List.of("pgbouncer-4", "pgbouncer-20"))).hasValue("pgbouncer-20");
    assertThat(drifting().best(List.of("pgbouncer-8"))).isEmpty();
    Rounds.Comparison comparison = drifting().compare("pgring", "pgbouncer-20");
    assertThat(comparison.tps()).isEqualTo(1.5);
    assertThat(comparison.cpu()).isEqualTo(0.75);
    assertThat(comparison.p99()).isEqualTo(1.5);
  }

  @Test
  void theReportComparesWithTheReferenceAndWithTheFastestPgBouncer() {
    CaseReport report =
        new CaseReport(
            new RatioCase(Mode.S, Protocol.SIMPLE, 10),
            drifting(),
            List.of("pgbouncer-4", "pgbouncer-20"));
    assertThat(report.text().lines().map(String::strip))
        .contains(
            "S, simple, 10 clients",
            "pgring                120  1.20 (1.20)                  15.0      3.00",
            "pgring / pgbouncer-20, the fastest PgBouncer: tps 1.50 (lower quartile 1.50), CPU 0.75,"
                + " p99 1.50");
    assertThat(report.figures().get("comparisons"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(4);
  }
}
