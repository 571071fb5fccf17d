package io.pgring.bench.report;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** The directory of recorded results: a file for each kind, a JSON line for each result. */
public final class PerfReports {
  private final Path directory;

  /**
   * @param directory where records go
   */
  public PerfReports(Path directory) {
    this.directory = directory;
  }

  /**
   * @return the one of this working copy
   */
  public static PerfReports ofCheckout() {
    return new PerfReports(Checkout.root().resolve("perf-reports"));
  }

  /**
   * Appends a line with the date, the commit and the machine before the figures.
   *
   * @param kind names the file
   * @param commit what was measured
   * @param machine where
   * @param figures the result
   * @return the file
   */
  public Path append(String kind, String commit, Machine machine, Map<String, Object> figures) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    line.put("commit", commit);
    line.put("machine", machine.fields());
    line.putAll(figures);
    Path file = directory.resolve(kind + ".jsonl");
    try {
      Files.writeString(
          file, JsonLine.of(line) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new BenchFailure("cannot write " + file + ": " + e.getMessage(), e);
    }
    return file;
  }
}
