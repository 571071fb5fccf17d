package io.pgring.pool;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A limit on server connections that all lanes share: of a pool, a database or a user. Any thread.
 */
public final class Permits {
  private final AtomicInteger used = new AtomicInteger();
  private volatile int limit;
  private volatile long starvedSinceNs = Long.MAX_VALUE;

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

  /**
   * Notes that somebody waits for a permit since then; {@link Long#MAX_VALUE} takes it back. Of
   * several who wait, the one that looked last is known, and each looks again at every tick.
   */
  public void starvedSince(long sinceNs) {
    starvedSinceNs = sinceNs;
  }

  /**
   * Since when somebody waits for a permit, on the nanosecond clock; {@link Long#MAX_VALUE} when
   * nobody does.
   */
  public long starvedSinceNs() {
    return starvedSinceNs;
  }

  public void release() {
    used.decrementAndGet();
  }
}
