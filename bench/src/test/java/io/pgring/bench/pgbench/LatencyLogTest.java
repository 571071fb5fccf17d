package io.pgring.bench.pgbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class LatencyLogTest {
  @Test
  void ninetyNineOfHundredStayWithinTheP99() {
    List<String> lines =
        IntStream.rangeClosed(1, 100)
            .mapToObj(i -> "0 %d %d 0 1700000000 1".formatted(i, i * 1_000))
            .toList();
    assertThat(LatencyLog.of(lines).p99Millis()).isEqualTo(99.0);
    assertThat(LatencyLog.of(lines).transactions()).isEqualTo(100);
  }

  @Test
  void countsOnlyTransactionsThatSucceeded() {
    LatencyLog log =
        LatencyLog.of(
            List.of("0 1 500 0 17 1", "0 2 failed 0 17 1", "0 3 skipped 0 17 1 9", "1 1 70"));
    assertThat(log.transactions()).isEqualTo(2);
    assertThat(log.p99Millis()).isEqualTo(0.5);
  }

  @Test
  void hasNoP99WithoutTransactions() {
    assertThat(LatencyLog.of(List.of()).p99Millis()).isNaN();
  }

  @Test
  void takesTheFilesOfAllThreadsAndNoOthers(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("log-1.77"), "0 1 10 0 17 1\n");
    Files.writeString(directory.resolve("log-1.77.1"), "1 1 20 0 17 1\n1 2 30 0 17 1\n");
    Path other = Files.writeString(directory.resolve("log-11.78"), "0 1 40 0 17 1\n");
    assertThat(LatencyLog.take(directory, "log-1").transactions()).isEqualTo(3);
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(other);
    }
  }
}
