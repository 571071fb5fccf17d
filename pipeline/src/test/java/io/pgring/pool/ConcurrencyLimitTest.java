package io.pgring.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit against models of servers: how long a transaction takes when so many run at a time. */
@Timeout(10)
class ConcurrencyLimitTest {
  private static final int TRANSACTIONS = 200_000;
  private static final int SIZE = 20;

  private final Random random = new Random(11);
  private long nowNs = 1;

  /** Lets transactions end while others wait; returns the limit that most of the last ones saw. */
  private int settled(ConcurrencyLimit limit, IntToDoubleFunction durationNs) {
    int[] seen = new int[SIZE + 1];
    for (int i = 0; i < TRANSACTIONS; i++) {
      int running = limit.value();
      double noise = 0.5 + random.nextDouble();
      double durationOfOneNs = durationNs.applyAsDouble(running) * noise;
      nowNs += (long) (durationOfOneNs / running);
      limit.onEnd(nowNs, (long) durationOfOneNs, true, SIZE);
      if (i > TRANSACTIONS / 2) {
        seen[limit.value()]++;
      }
    }
    int most = 0;
    for (int value = 0; value <= SIZE; value++) {
      most = seen[value] > seen[most] ? value : most;
    }
    return most;
  }

  @ParameterizedTest
  @CsvSource({"4", "9", "20"})
  void fallsWhereMoreConnectionsOnlySlowEachOtherDown(int first) {
    assertThat(settled(new ConcurrencyLimit(first), running -> running * 40_000.0))
        .isEqualTo(ConcurrencyLimit.LEAST);
  }

  @ParameterizedTest
  @CsvSource({"4", "9", "20"})
  void risesToThePoolSizeWhereConnectionsDoNotSlowEachOtherDown(int first) {
    assertThat(settled(new ConcurrencyLimit(first), running -> 4_000_000.0)).isEqualTo(SIZE);
  }

  @ParameterizedTest
  @CsvSource({"4", "20"})
  void staysNearAsManyAsTheServerCanRun(int first) {
    int cores = 10;
    assertThat(
            settled(
                new ConcurrencyLimit(first),
                running -> 100_000.0 * Math.max(1.0, (double) running / cores)))
        .isBetween(cores - 3, cores + 4);
  }

  @Test
  void followsAServerThatGetsSlow() {
    ConcurrencyLimit limit = new ConcurrencyLimit(4);
    settled(limit, running -> 1_000_000.0);

    assertThat(settled(limit, running -> running * 1_000_000.0)).isEqualTo(ConcurrencyLimit.LEAST);
  }

  @Test
  void learnsNothingWhileNobodyWaits() {
    ConcurrencyLimit limit = new ConcurrencyLimit(10);
    for (int i = 0; i < TRANSACTIONS; i++) {
      limit.onEnd(++nowNs, 1_000, false, SIZE);
    }
    assertThat(limit.value()).isEqualTo(10);
  }

  @Test
  void risesStepByStepUpToThePoolSizeWhileNothingEnds() {
    ConcurrencyLimit limit = new ConcurrencyLimit(4);
    limit.onEnd(1, 1, true, 6);

    assertThat(limit.raisedAfterStall(ConcurrencyLimit.STALL_NS, 6)).isFalse();
    assertThat(limit.raisedAfterStall(1 + ConcurrencyLimit.STALL_NS, 6)).isTrue();
    assertThat(limit.value()).isEqualTo(5);
    assertThat(limit.raisedAfterStall(2 + ConcurrencyLimit.STALL_NS, 6)).isFalse();
    assertThat(limit.raisedAfterStall(1 + 2 * ConcurrencyLimit.STALL_NS, 6)).isTrue();
    assertThat(limit.raisedAfterStall(1 + 9 * ConcurrencyLimit.STALL_NS, 6)).isFalse();
    assertThat(limit.value()).isEqualTo(6);
  }
}
