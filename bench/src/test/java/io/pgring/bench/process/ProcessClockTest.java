package io.pgring.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.bench.BenchFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class ProcessClockTest {
  @ParameterizedTest
  @ValueSource(strings = {"java", "a b", "a) S 1 2", "((", ")"})
  void findsTheTimesAfterAnyName(String name) {
    String stat =
        "42 (" + name + ") S 1 42 42 0 -1 4194560 900 0 1 0 123 45 7 8 20 0 30 0 99 1 2 3\n";
    assertThat(ProcessClock.ticks(stat)).isEqualTo(168);
  }

  @Test
  void addsNothingForNoProcess() {
    assertThat(ProcessClock.cpuMicros(List.of())).isZero();
  }

  @Test
  void sumsProcessesThatRun() {
    long self = ProcessHandle.current().pid();
    assertThat(ProcessClock.cpuMicros(List.of(self, self))).isPositive();
  }

  @Test
  void namesAProcessThatIsGone() {
    long never = Integer.MAX_VALUE;
    assertThatThrownBy(() -> ProcessClock.cpuMicros(List.of(never)))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining(Long.toString(never));
  }
}
