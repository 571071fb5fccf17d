package io.pgring.pool;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A limit on server connections that all lanes share: of a pool, a database or a user. Any thread.
 */
public final class Permits {
  /** No time at all: nobody waits. */
  public static final long NOBODY = Long.MAX_VALUE;

  private static final long HANDOVER_INTERVAL_NS = 100_000_000L;

  private final AtomicInteger used = new AtomicInteger();
  private volatile int limit;
  private final AtomicLong starvedSinceNs = new AtomicLong(NOBODY);
  private final AtomicLong handedOverNs = new AtomicLong(System.nanoTime() - HANDOVER_INTERVAL_NS);

  /**
   * @param limit connections allowed; 0 means no limit
   */
  public Permits(int limit) {
    this.limit = limit;
  }

  /** Changes the limit; what is above the new one is not taken back by force. */
  public void limit(int limit) {
    this.limit = limit;
  }

  public int limit() {
    return limit;
  }

  public int used() {
    return used.get();
  }

  public boolean tryAcquire() {
    return tryAcquire(0);
  }

  /**
   * Takes a permit if fewer than limit and {@code extra} are taken; {@code extra} is a pool's
   * reserve.
   */
  public boolean tryAcquire(int extra) {
    while (true) {
      int current = used.get();
      int ceiling = limit;
      if (ceiling > 0 && current >= ceiling + extra) {
        return false;
      }
      if (used.compareAndSet(current, current + 1)) {
        return true;
      }
    }
  }

  /** Notes that somebody waits for a permit since then; of several who wait the oldest is known. */
  public void starved(long sinceNs) {
    long current = starvedSinceNs.get();
    while (current == NOBODY || sinceNs - current < 0) {
      if (starvedSinceNs.compareAndSet(current, sinceNs)) {
        return;
      }
      current = starvedSinceNs.get();
    }
  }

  /**
   * Takes back what {@link #starved(long)} noted; others who wait note themselves at their next
   * tick.
   */
  public void fed(long sinceNs) {
    starvedSinceNs.compareAndSet(sinceNs, NOBODY);
  }

  /**
   * Since when somebody waits for a permit, on the nanosecond clock; {@link #NOBODY} when nobody
   * does.
   */
  public long starvedSinceNs() {
    return starvedSinceNs.get();
  }

  /**
   * True when a connection may be closed now so that another pool gets its permit: not more often
   * than a login is worth.
   */
  public boolean tryHandOver(long nowNs) {
    long last = handedOverNs.get();
    return nowNs - last >= HANDOVER_INTERVAL_NS && handedOverNs.compareAndSet(last, nowNs);
  }

  public void release() {
    used.decrementAndGet();
  }
}
