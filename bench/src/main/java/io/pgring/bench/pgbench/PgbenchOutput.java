package io.pgring.bench.pgbench;

import io.pgring.bench.BenchFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The closing lines of a pgbench run. Immutable.
 *
 * @param tps transactions a second, the time to connect not counted
 * @param transactions transactions that ended
 */
public record PgbenchOutput(double tps, long transactions) {
  // Up to version 13 two lines begin with "tps"; the one that leaves connecting out is the last.
  private static final Pattern TPS = Pattern.compile("(?m)^tps = ([0-9.]+)");
  private static final Pattern PROCESSED = Pattern.compile("actually processed: (\\d+)");
  private static final Pattern FAILED = Pattern.compile("number of failed transactions: (\\d+)");

  /**
   * @param text all that pgbench printed
   * @return its figures
   * @throws BenchFailure when they are missing or transactions failed
   */
  public static PgbenchOutput parse(String text) {
    Matcher processed = PROCESSED.matcher(text);
    Matcher failed = FAILED.matcher(text);
    Matcher tps = TPS.matcher(text);
    String last = null;
    while (tps.find()) {
      last = tps.group(1);
    }
    if (last == null || !processed.find()) {
      throw new BenchFailure("pgbench printed no figures:\n" + text.strip());
    }
    if (failed.find() && !"0".equals(failed.group(1))) {
      throw new BenchFailure("pgbench had failed transactions:\n" + text.strip());
    }
    return new PgbenchOutput(Double.parseDouble(last), Long.parseLong(processed.group(1)));
  }
}
