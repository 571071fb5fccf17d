package io.pgring.pool;

import io.pgring.config.DatabaseConfig;
import io.pgring.settings.ReportedSettings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the lanes share of one database and user: the limits on server connections as permits, the
 * order of those who wait, and when a refusing server may be tried again. Any thread.
 */
public final class SharedPool {
  private final PoolKey key;
  private final Permits permits;
  private final Permits databasePermits;
  private final Permits userPermits;
  private final ServerLogins logins;
  private final AtomicLong tickets = new AtomicLong();
  private final AtomicInteger pinned = new AtomicInteger();
  private final LaneDemand demand;
  private final int lanes;
  private volatile DatabaseConfig database;
  private volatile ServerCredentials credentials;
  private volatile long generation;
  private volatile int maxWaiting;
  private volatile int pinnedLimit;
  private volatile boolean adaptsConcurrency;
  private volatile boolean paused;
  private volatile ReportedSettings reported;

  public SharedPool(
      PoolKey key,
      DatabaseConfig database,
      ServerCredentials credentials,
      int poolSize,
      Permits databasePermits,
      Permits userPermits,
      ServerLogins logins,
      int lanes) {
    this.key = key;
    this.maxWaiting = database.maxWaitingClients();
    this.adaptsConcurrency = lanes == 1 && database.adaptiveConcurrency();
    this.database = database;
    this.credentials = credentials;
    this.permits = new Permits(poolSize);
    this.pinnedLimit = database.pinnedLimit(poolSize);
    this.databasePermits = databasePermits;
    this.userPermits = userPermits;
    this.logins = logins;
    this.lanes = lanes;
    this.demand = new LaneDemand(lanes);
  }

  public PoolKey key() {
    return key;
  }

  int maxWaiting() {
    return maxWaiting;
  }

  public DatabaseConfig database() {
    return database;
  }

  public ServerCredentials credentials() {
    return credentials;
  }

  /** Takes over what a reload changed; connections made before are the caller's to retire. */
  public synchronized void reconfigure(
      DatabaseConfig database, ServerCredentials credentials, int poolSize) {
    boolean sameServer =
        database.primary().equals(this.database.primary())
            && database.serverDatabase().equals(this.database.serverDatabase());
    if (!sameServer || !credentials.equals(this.credentials)) {
      generation++;
      reported = null;
    }
    this.database = database;
    this.credentials = credentials;
    this.maxWaiting = database.maxWaitingClients();
    this.adaptsConcurrency = lanes == 1 && database.adaptiveConcurrency();
    permits.limit(poolSize);
    pinnedLimit = database.pinnedLimit(poolSize);
  }

  /** Makes the connections there are obsolete; they are the caller's to retire. */
  public synchronized void reconnect() {
    generation++;
  }

  /** Grows with each change that connections made before do not fit. */
  public long generation() {
    return generation;
  }

  /**
   * Whether the pool finds out how many of its connections are to work at a time. With several
   * lanes it does not: a lane that holds its sessions back would look to the others like one that
   * lacks connections.
   */
  boolean adaptsConcurrency() {
    return adaptsConcurrency;
  }

  /** Limit and use of the pool itself, over all lanes. */
  public Permits permits() {
    return permits;
  }

  /** When and how often this server may be logged in to. */
  public ServerLogins logins() {
    return logins;
  }

  /**
   * Takes a permit of the pool, of the database and of the user, or none.
   *
   * @param reserve connections above the pool's size that may be used, because somebody has waited
   *     long
   */
  public boolean tryAcquire(int reserve) {
    if (!permits.tryAcquire(reserve)) {
      return false;
    }
    if (!databasePermits.tryAcquire()) {
      permits.release();
      return false;
    }
    if (!userPermits.tryAcquire()) {
      databasePermits.release();
      permits.release();
      return false;
    }
    return true;
  }

  public void release() {
    userPermits.release();
    databasePermits.release();
    permits.release();
  }

  /**
   * What the last login to the server reported, with which clients are welcomed; null before the
   * first.
   */
  public ReportedSettings reported() {
    return reported;
  }

  public void reported(ReportedSettings reported) {
    this.reported = reported;
  }

  /** Notes since when sessions of this pool wait for a limit that it shares with others. */
  public void starved(long sinceNs) {
    if (databasePermits.limit() > 0) {
      databasePermits.starved(sinceNs);
    }
    if (userPermits.limit() > 0) {
      userPermits.starved(sinceNs);
    }
  }

  /** Takes back what {@link #starved(long)} noted. */
  public void fed(long sinceNs) {
    databasePermits.fed(sinceNs);
    userPermits.fed(sinceNs);
  }

  /**
   * Since when somebody waits for a limit of this pool; {@link Permits#NOBODY} when nobody does.
   */
  public long starvedSinceNs() {
    return Math.min(databasePermits.starvedSinceNs(), userPermits.starvedSinceNs());
  }

  /** True when a connection may be closed now for the sake of another pool. */
  public boolean tryHandOver(long nowNs) {
    return databasePermits.tryHandOver(nowNs);
  }

  /**
   * True when the pool has all the connections of its own that it may have, whatever limits it
   * shares.
   */
  public boolean isFull() {
    return permits.limit() > 0 && permits.used() >= permits.limit();
  }

  /** True when an idle connection of the other pool stands in the way of one for this pool. */
  public boolean sharesLimitWith(SharedPool other) {
    return other != this
        && (databasePermits.limit() > 0 && databasePermits == other.databasePermits
            || userPermits.limit() > 0 && userPermits == other.userPermits);
  }

  /** Server connections that may be pinned to sessions at the same time. */
  public int pinnedLimit() {
    return pinnedLimit;
  }

  /** Sessions that count as pinned, over all lanes. */
  public int pinned() {
    return pinned.get();
  }

  /** Counts one more pinned session, unless that are too many. */
  public boolean tryPin() {
    if (pinned.incrementAndGet() <= pinnedLimit) {
      return true;
    }
    pinned.decrementAndGet();
    return false;
  }

  /** Counts a session that is pinned already, whatever the limit. */
  public void pin() {
    pinned.incrementAndGet();
  }

  public void unpin() {
    pinned.decrementAndGet();
  }

  public boolean isPaused() {
    return paused;
  }

  public void paused(boolean paused) {
    this.paused = paused;
  }

  long nextTicket() {
    return tickets.incrementAndGet();
  }

  /** Who waits for a connection in which lane, and who has one to give. */
  public LaneDemand demand() {
    return demand;
  }
}
