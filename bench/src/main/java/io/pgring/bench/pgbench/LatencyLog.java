package io.pgring.bench.pgbench;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Pgbench's log of single transactions: a line each, the third field its latency in microseconds or
 * a word for one that failed or was skipped (pgbench(1), "Per-Transaction Logging"). Immutable.
 */
public final class LatencyLog {
  private static final int LATENCY_FIELD = 2;

  private final long[] sortedMicros;

  private LatencyLog(long[] sortedMicros) {
    this.sortedMicros = sortedMicros;
  }

  /**
   * @param lines lines of the log, in any order
   * @return the latencies of the transactions that succeeded
   */
  static LatencyLog of(List<String> lines) {
    return new LatencyLog(latencies(lines).sorted().toArray());
  }

  /**
   * Reads and removes the files of one run; each thread of pgbench writes one.
   *
   * @param directory where they are
   * @param prefix how their names begin
   * @return the latencies of the transactions that succeeded
   */
  static LatencyLog take(Path directory, String prefix) {
    LongStream all = LongStream.empty();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + ".*")) {
      for (Path file : files) {
        all = LongStream.concat(all, Arrays.stream(latencies(Files.readAllLines(file)).toArray()));
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new BenchFailure("cannot read pgbench's log: " + e.getMessage(), e);
    }
    return new LatencyLog(all.sorted().toArray());
  }

  private static LongStream latencies(List<String> lines) {
    return lines.stream()
        .map(line -> line.split(" "))
        .filter(fields -> fields.length > LATENCY_FIELD)
        .map(fields -> fields[LATENCY_FIELD])
        .filter(latency -> latency.matches("\\d+"))
        .mapToLong(Long::parseLong);
  }

  /**
   * @return how many transactions were logged as done
   */
  public int transactions() {
    return sortedMicros.length;
  }

  /**
   * @return the latency that 99 of 100 transactions stay within, in milliseconds; NaN without any
   */
  public double p99Millis() {
    if (sortedMicros.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(sortedMicros.length * 0.99);
    return sortedMicros[rank - 1] / 1_000.0;
  }
}
