package io.pgring.bench.pgbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.bench.BenchFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PgbenchOutputTest {
  private static final String VERSION_15 =
      """
      pgbench (15.18 (Debian 15.18-0+deb12u1))
      transaction type: <builtin: select only>
      number of clients: 10
      duration: 1 s
      number of transactions actually processed: 23571
      number of failed transactions: %s
      latency average = 0.424 ms
      initial connection time = 11.011 ms
      tps = 23793.268331 (without initial connection time)
      """;

  @Test
  void readsVersion15() {
    assertThat(PgbenchOutput.parse(VERSION_15.formatted("0 (0.000%)")))
        .isEqualTo(new PgbenchOutput(23793.268331, 23571));
  }

  @Test
  void takesTheRateWithoutConnectingFromVersion13() {
    String text =
        """
        number of transactions actually processed: 100/100
        tps = 900.5 (including connections establishing)
        tps = 1000.5 (excluding connections establishing)
        """;
    assertThat(PgbenchOutput.parse(text)).isEqualTo(new PgbenchOutput(1000.5, 100));
  }

  @Test
  void refusesFailedTransactions() {
    String text = VERSION_15.formatted("3 (0.013%)");
    assertThatThrownBy(() -> PgbenchOutput.parse(text))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("failed transactions");
  }

  @Test
  void refusesARunWithoutFigures() {
    assertThatThrownBy(() -> PgbenchOutput.parse("pgbench: error: connection refused"))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("connection refused");
  }
}
