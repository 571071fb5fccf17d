package io.pgring.pool;

import java.util.HashSet;
import java.util.Set;

/**
 * Which databases are paused: no session is given a server connection there until the pause ends.
 * Guarded by its monitor; what a request looks at is the flag in each {@link SharedPool}.
 */
public final class Pauses {
  private final Set<String> databases = new HashSet<>();
  private boolean all;

  /**
   * Pauses one database.
   *
   * @param database null for all of them, also those that are used later for the first time
   * @return false when it was paused already
   */
  public synchronized boolean pause(String database, Iterable<SharedPool> pools) {
    if (all || database != null && !databases.add(database)) {
      return false;
    }
    all = database == null;
    pools.forEach(this::apply);
    return true;
  }

  /**
   * Ends a pause.
   *
   * @param database null to end the pause of all databases, and each pause of a single one
   * @return false when there was none
   */
  public synchronized boolean resume(String database, Iterable<SharedPool> pools) {
    boolean paused = database == null ? all || !databases.isEmpty() : databases.remove(database);
    if (database == null) {
      all = false;
      databases.clear();
    }
    pools.forEach(this::apply);
    return paused;
  }

  /** Whether a database is paused, by itself or with all others. */
  public synchronized boolean covers(String database) {
    return all || databases.contains(database);
  }

  /** Whether all databases are paused. */
  public synchronized boolean coversAll() {
    return all;
  }

  /** Sets the flag of a pool, which must be among those that later calls are given. */
  public synchronized void apply(SharedPool pool) {
    pool.paused(covers(pool.key().database()));
  }
}
