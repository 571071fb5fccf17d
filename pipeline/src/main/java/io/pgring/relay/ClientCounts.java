package io.pgring.relay;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Logged-in clients over all lanes, in all and by database and user, for the limits on them. Any
 * thread.
 */
public final class ClientCounts {
  private final AtomicInteger all = new AtomicInteger();
  private final Map<String, AtomicInteger> byDatabase = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> byUser = new ConcurrentHashMap<>();

  /** Clients that are logged in. */
  public int all() {
    return all.get();
  }

  /**
   * Counts one more client.
   *
   * @param maxAll limits; 0 means none
   * @return null, or the name of the limit that is reached: nothing was counted then
   */
  String tryAdd(String database, String user, int maxAll, int maxDatabase, int maxUser) {
    if (!tryAdd(all, maxAll)) {
      return "max_client_conn";
    }
    if (!tryAdd(of(byDatabase, database), maxDatabase)) {
      all.decrementAndGet();
      return "max_db_client_connections";
    }
    if (!tryAdd(of(byUser, user), maxUser)) {
      of(byDatabase, database).decrementAndGet();
      all.decrementAndGet();
      return "max_user_client_connections";
    }
    return null;
  }

  void remove(String database, String user) {
    all.decrementAndGet();
    of(byDatabase, database).decrementAndGet();
    of(byUser, user).decrementAndGet();
  }

  private static AtomicInteger of(Map<String, AtomicInteger> counts, String name) {
    return counts.computeIfAbsent(name, n -> new AtomicInteger());
  }

  private static boolean tryAdd(AtomicInteger count, int max) {
    if (max <= 0) {
      count.incrementAndGet();
      return true;
    }
    while (true) {
      int current = count.get();
      if (current >= max) {
        return false;
      }
      if (count.compareAndSet(current, current + 1)) {
        return true;
      }
    }
  }
}
