package io.pgring.pool;

/**
 * Paces logins to one server: a bounded number a second, and a growing pause while it refuses.
 * Shared by all lanes and pools of that server; guarded by its monitor, which is only taken when a
 * connection is to be made.
 */
public final class ServerLogins {
  private static final long MAX_BACKOFF_NS = 1_000_000_000L;

  private final long intervalNs;
  private final long firstBackoffNs;
  private final int burst;
  private long tokensUpdatedNs;
  private boolean started;
  private double tokens;
  private long backoffNs;
  private long notBeforeNs = Long.MIN_VALUE;
  private String lastFailure;
  private String lastFailureState;

  /**
   * @param loginsPerSecond 0 means no limit
   * @param firstBackoffNs pause after the first refusal; it doubles up to one second, so that a
   *     server that is back is used within a second
   */
  public ServerLogins(int loginsPerSecond, long firstBackoffNs) {
    this.intervalNs = loginsPerSecond == 0 ? 0 : 1_000_000_000L / loginsPerSecond;
    this.burst = Math.max(1, loginsPerSecond);
    this.tokens = burst;
    this.firstBackoffNs = Math.min(firstBackoffNs, MAX_BACKOFF_NS);
  }

  /** True when a login may be started now; it is counted then. */
  public synchronized boolean tryStart(long nowNs) {
    if (backoffNs > 0 && nowNs - notBeforeNs < 0) {
      return false;
    }
    if (!started) {
      started = true;
      tokensUpdatedNs = nowNs;
    }
    if (intervalNs > 0) {
      tokens = Math.min(burst, tokens + (double) (nowNs - tokensUpdatedNs) / intervalNs);
      tokensUpdatedNs = nowNs;
      if (tokens < 1) {
        return false;
      }
      tokens -= 1;
    }
    if (backoffNs > 0) {
      // One attempt at a time while the server refuses.
      notBeforeNs = nowNs + backoffNs;
    }
    return true;
  }

  /** A login has succeeded: no pause any more. */
  public synchronized void succeeded() {
    backoffNs = 0;
    lastFailure = null;
    lastFailureState = null;
  }

  /** A connection attempt or login has failed. */
  public synchronized void failed(long nowNs, String sqlState, String reason) {
    backoffNs = backoffNs == 0 ? firstBackoffNs : Math.min(2 * backoffNs, MAX_BACKOFF_NS);
    notBeforeNs = nowNs + backoffNs;
    lastFailure = reason;
    lastFailureState = sqlState;
  }

  /** Why the last attempt failed; null after a success. */
  public synchronized String lastFailure() {
    return lastFailure;
  }

  /** SQLSTATE of the last failure, or null when it was not the server that said it. */
  public synchronized String lastFailureState() {
    return lastFailureState;
  }
}
