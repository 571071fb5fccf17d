package io.pgring.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.bench.BenchFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkbenchTest {
  @Test
  void runsAProgramWithItsEnvironment() {
    try (Workbench workbench = Workbench.open()) {
      Output output = workbench.run(List.of("env"), Map.of("PGRING_TEST", "a b"), 30);
      assertThat(output.orFail().text()).contains("PGRING_TEST=a b\n");
    }
  }

  @Test
  void reportsAFailedProgramWithItsText() {
    try (Workbench workbench = Workbench.open()) {
      Output output = workbench.run(List.of("ls", "/nowhere-at-all"), Map.of(), 30);
      assertThatThrownBy(output::orFail)
          .isInstanceOf(BenchFailure.class)
          .hasMessageContaining("nowhere-at-all");
    }
  }

  @Test
  void endsAProgramThatTakesTooLong() {
    try (Workbench workbench = Workbench.open()) {
      assertThatThrownBy(() -> workbench.run(List.of("sleep", "600"), Map.of(), 0))
          .isInstanceOf(BenchFailure.class)
          .hasMessageContaining("sleep did not end within 0 s");
    }
  }

  @Test
  void closingStopsWhatRunsInReverseOrderAndRemovesTheDirectory() {
    List<String> closed = new ArrayList<>();
    Workbench workbench = Workbench.open();
    Path directory = workbench.directory();
    Daemon daemon = workbench.start("sleep", List.of("sleep", "600"), Map.of());
    workbench.own(() -> closed.add("first"));
    workbench.own(() -> closed.add("second"));
    workbench.close();
    assertThat(daemon.alive()).isFalse();
    assertThat(closed).containsExactly("second", "first");
    assertThat(directory).doesNotExist();
    assertThatThrownBy(() -> workbench.start("late", List.of("sleep", "600"), Map.of()))
        .isInstanceOf(BenchFailure.class);
  }
}
