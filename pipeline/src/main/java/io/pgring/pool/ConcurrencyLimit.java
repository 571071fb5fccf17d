package io.pgring.pool;

/**
 * How many connections of a pool work at the same time while clients wait. More connections than
 * the server can run at once only make it switch between them: each transaction then takes longer
 * in proportion, and no more of them end. So the limit is found by comparing how long transactions
 * hold a connection at the limit and at three quarters of it, in turns, so that what else the
 * machine does disturbs both alike. Where the time grows nearly in proportion the limit falls,
 * where it hardly grows the limit rises, up to the size of the pool.
 *
 * <p>The measure is the elasticity of the holding time, which by Little's law is one less that of
 * the throughput. It needs no constant of the server, and makes no difference between time spent
 * computing, waiting for a disk, a lock, or the client. Only what ends while somebody waits is
 * counted.
 *
 * <p>Owned by relay's thread of one lane.
 */
public final class ConcurrencyLimit {
  /** Nothing ended for so long although the limit was reached: what runs waits for something. */
  public static final long STALL_NS = 2_000_000L;

  private static final int SAMPLES = 64;
  private static final int PAIRS = 4;
  private static final int SHORTEST_REST = 256;
  private static final int LONGEST_REST = 8192;
  private static final double TOO_MANY = 0.75;
  private static final double TOO_FEW = 0.5;
  static final int LEAST = 4;

  private int limit;
  private int lower;
  private boolean trying;
  private int rest = SHORTEST_REST;
  private int untilMeasured = SHORTEST_REST;
  private int samples;
  private int pairs;
  private double upperNs;
  private double lowerNs;
  private long lastEndNs;

  /**
   * @param first what to begin with
   */
  public ConcurrencyLimit(int first) {
    limit = Math.max(LEAST, first);
  }

  /** Connections that may work now. */
  public int value() {
    return trying ? lower : limit;
  }

  /**
   * A transaction has ended.
   *
   * @param heldNs how long it held its connection
   * @param waited true when somebody waited for a connection
   * @param size the most connections that the pool may have
   */
  public void onEnd(long nowNs, long heldNs, boolean waited, int size) {
    lastEndNs = nowNs;
    if (!waited || --untilMeasured >= 0) {
      return;
    }
    if (trying) {
      lowerNs += heldNs;
    } else {
      upperNs += heldNs;
    }
    if (++samples == SAMPLES) {
      nextSeries(size);
    }
  }

  private void nextSeries(int size) {
    samples = 0;
    if (trying && ++pairs == PAIRS) {
      decide(size);
      return;
    }
    trying = !trying;
    lower = lower(limit);
    // What was under way when the limit changed belongs to neither.
    untilMeasured = limit;
  }

  private static int lower(int limit) {
    return limit - Math.max(1, limit / 4);
  }

  private void decide(int size) {
    double elasticity = Math.log(upperNs / lowerNs) / Math.log((double) limit / lower);
    int before = limit;
    if (elasticity > TOO_MANY) {
      limit = Math.max(LEAST, lower);
    } else if (elasticity < TOO_FEW) {
      limit = Math.min(Math.max(LEAST, size), limit + Math.max(1, limit / 4));
    }
    restart(limit == before ? Math.min(LONGEST_REST, 2 * rest) : SHORTEST_REST);
  }

  private void restart(int newRest) {
    trying = false;
    rest = newRest;
    untilMeasured = rest;
    samples = 0;
    pairs = 0;
    upperNs = 0;
    lowerNs = 0;
  }

  /** Raises the limit when nothing has ended for long; true when it did. */
  public boolean raisedAfterStall(long nowNs, int size) {
    if (nowNs - lastEndNs < STALL_NS || limit >= size) {
      return false;
    }
    lastEndNs = nowNs;
    limit++;
    restart(SHORTEST_REST);
    return true;
  }
}
