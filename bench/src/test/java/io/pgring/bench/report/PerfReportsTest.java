package io.pgring.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class PerfReportsTest {
  @Test
  void appendsALineForEachResult(@TempDir Path directory) throws IOException {
    PerfReports reports = new PerfReports(directory);
    Machine machine = new Machine("cpu", 2, "Linux", "17");
    reports.append("ratio", "abc1234", machine, Map.of("tps", 1.5));
    Path file = reports.append("ratio", "abc1235-dirty", machine, Map.of("tps", 2.5));
    assertThat(file).isEqualTo(directory.resolve("ratio.jsonl"));
    assertThat(Files.readAllLines(file))
        .hasSize(2)
        .last()
        .asString()
        .matches("\\{\"date\":\"[0-9T:-]+Z\",\"commit\":\"abc1235-dirty\",\"machine\":.*")
        .contains("\"machine\":{\"cpu\":\"cpu\",\"cores\":2,\"kernel\":\"Linux\",\"jdk\":\"17\"}")
        .endsWith("\"tps\":2.5}");
  }

  @Test
  void findsTheModelOfTheFirstProcessor() {
    assertThat(Machine.model("processor\t: 0\nmodel name\t: Some: CPU\nmodel name\t: B\n"))
        .isEqualTo("Some: CPU");
    assertThat(Machine.model("")).isEqualTo("unknown");
  }

  @Test
  void readsSettings() {
    assertThat(ServerSettings.parse("fsync|on\nserver_version|15.1 (a|b)\n\n"))
        .containsExactly(Map.entry("fsync", "on"), Map.entry("server_version", "15.1 (a|b)"));
  }
}
