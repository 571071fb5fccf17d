package io.pgring.admin.show;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The traffic of each database at the ends of the last two periods, for averages over the last full
 * one. Any thread.
 */
final class StatsPeriods {
  private Map<String, Traffic> older = new HashMap<>();
  private Map<String, Traffic> newer = new HashMap<>();
  private long olderNs;
  private long newerNs;

  StatsPeriods(long startNs) {
    olderNs = startNs;
    newerNs = startNs;
  }

  /** Ends a period. */
  synchronized void end(List<PoolSample> pools, long nowNs) {
    older = newer;
    olderNs = newerNs;
    newer = byDatabase(pools);
    newerNs = nowNs;
  }

  /**
   * What to divide by what: in the last full period, or since the start while there is none.
   *
   * @param current the database's traffic up to now
   */
  synchronized Average average(String database, Traffic current, long nowNs) {
    boolean first = olderNs == newerNs;
    Traffic end = first ? current : newer.getOrDefault(database, new Traffic());
    Traffic start = older.getOrDefault(database, new Traffic());
    return new Average(end.since(start), Math.max(1, (first ? nowNs : newerNs) - olderNs));
  }

  /** The pools' traffic by database. */
  static Map<String, Traffic> byDatabase(List<PoolSample> pools) {
    Map<String, Traffic> sums = new TreeMap<>();
    pools.forEach(pool -> sums.merge(pool.key.database(), pool.traffic, Traffic::plus));
    return sums;
  }

  /**
   * Traffic within a time.
   *
   * @param traffic in that time
   * @param durationNs the time
   */
  record Average(Traffic traffic, long durationNs) {
    /** How many a second. */
    long perSecond(Traffic.Counter counter) {
      return (long) (traffic.of(counter) * 1e9 / durationNs);
    }

    /** Microseconds for each of something that was counted. */
    long usPer(Traffic.Counter timeNs, Traffic.Counter count) {
      return traffic.of(count) == 0 ? 0 : traffic.of(timeNs) / traffic.of(count) / 1000;
    }
  }
}
