package io.pgring.pool;

import io.pgring.session.Session;
import java.util.Arrays;

/**
 * The server connections of one database and user in one lane, and the sessions that wait for one.
 * Limits are global and live in {@link SharedPool}; everything here belongs to relay's thread.
 */
public final class Pool {
  /** Counters since the start, for SHOW STATS. */
  public long queryCount;

  public long transactionCount;
  public long assignmentCount;
  public long clientParseCount;
  public long serverParseCount;
  public long bindCount;
  public long receivedBytes;
  public long sentBytes;
  public long queryTimeNs;
  public long transactionTimeNs;
  public long waitTimeNs;

  /** Relay looks after the sessions that wait because of the limit on concurrency. */
  public boolean heldBackQueued;

  private final SharedPool shared;
  private final int lane;
  private ServerConnection[] idle = new ServerConnection[8];
  private int idleCount;
  private ServerConnection[] servers = new ServerConnection[8];
  private int serverCount;
  private int connectingCount;
  private Session firstWaiting;
  private Session lastWaiting;
  private int waitingCount;
  private int sessionCount;
  private int awaitingWelcome;
  private int heldCount;
  private final ConcurrencyLimit concurrency =
      new ConcurrencyLimit(2 * Runtime.getRuntime().availableProcessors());
  private boolean starved;
  private long starvedMarkNs = Permits.NOBODY;

  public Pool(SharedPool shared, int lane) {
    this.shared = shared;
    this.lane = lane;
  }

  /** What the pools of the same database and user in all lanes have in common. */
  public SharedPool shared() {
    return shared;
  }

  // --- server connections

  /** Adds a connection that is being made; its permits are taken. */
  public void add(ServerConnection server) {
    if (serverCount == servers.length) {
      servers = Arrays.copyOf(servers, 2 * serverCount);
    }
    servers[serverCount++] = server;
  }

  /** Takes a closed connection out. */
  public void remove(ServerConnection server) {
    removeIdle(server);
    for (int i = 0; i < serverCount; i++) {
      if (servers[i] == server) {
        servers[i] = servers[--serverCount];
        servers[serverCount] = null;
        return;
      }
    }
  }

  public int serverCount() {
    return serverCount;
  }

  public ServerConnection server(int index) {
    return servers[index];
  }

  /** Connections on their way to being usable. */
  public int connectingCount() {
    return connectingCount;
  }

  public void connecting(int change) {
    connectingCount += change;
  }

  public int idleCount() {
    return idleCount;
  }

  /** Takes the connection that was used last, whose caches are warm; null when none is idle. */
  public ServerConnection pollIdle() {
    if (idleCount == 0) {
      return null;
    }
    ServerConnection server = idle[--idleCount];
    idle[idleCount] = null;
    publishNoneIdle();
    return server;
  }

  /** The connection that has been idle longest, or null; it stays where it is. */
  public ServerConnection longestIdle() {
    return idleCount == 0 ? null : idle[0];
  }

  /** Gives a clean connection back. */
  public void offerIdle(ServerConnection server) {
    if (idleCount == idle.length) {
      idle = Arrays.copyOf(idle, 2 * idleCount);
    }
    idle[idleCount++] = server;
    if (idleCount == 1) {
      shared.demand().idle(lane, true);
    }
  }

  /** Takes a certain connection out of the idle ones. */
  public void removeIdle(ServerConnection server) {
    for (int i = 0; i < idleCount; i++) {
      if (idle[i] == server) {
        System.arraycopy(idle, i + 1, idle, i, idleCount - i - 1);
        idle[--idleCount] = null;
        publishNoneIdle();
        return;
      }
    }
  }

  private void publishNoneIdle() {
    if (idleCount == 0) {
      shared.demand().idle(lane, false);
    }
  }

  // --- how many work at a time

  /** A session begins a transaction on a connection. */
  public void hold(ServerConnection server, long nowNs) {
    server.heldSinceNs = nowNs;
    heldCount++;
  }

  /** The transaction has ended, or the session has left. */
  public void unhold(ServerConnection server, long nowNs) {
    if (server.heldSinceNs != 0) {
      heldCount--;
      concurrency.onEnd(
          nowNs, nowNs - server.heldSinceNs, waitingCount > 0, shared.permits().limit());
      server.heldSinceNs = 0;
    }
  }

  /** Connections that may be handed out now, beyond those that are held. */
  public int startable() {
    return isConcurrencyLimited()
        ? Math.max(0, concurrency.value() - heldCount)
        : Integer.MAX_VALUE;
  }

  /** Sessions wait that could be served, were it not for the limit on concurrency. */
  public boolean isHeldBack() {
    return waitingCount > 0 && startable() == 0;
  }

  /** Raises the limit on concurrency when nothing has ended for long; true when it did. */
  public boolean raisedAfterStall(long nowNs) {
    return concurrency.raisedAfterStall(nowNs, shared.permits().limit());
  }

  /** Connections that work at the same time while sessions wait, for the console. */
  public int concurrency() {
    return isConcurrencyLimited() ? concurrency.value() : shared.permits().limit();
  }

  private boolean isConcurrencyLimited() {
    return shared.adaptsConcurrency() && concurrency.value() < shared.permits().limit();
  }

  // --- sessions that wait

  /** Sessions that may wait; 0 means no limit. */
  public int maxWaiting() {
    return shared.maxWaiting();
  }

  public int waitingCount() {
    return waitingCount;
  }

  public Session firstWaiting() {
    return firstWaiting;
  }

  /** Puts a session at the end of the queue. */
  public void enqueue(Session session) {
    session.ticket = shared.nextTicket();
    session.previousWaiting = lastWaiting;
    session.nextWaiting = null;
    if (lastWaiting == null) {
      firstWaiting = session;
    } else {
      lastWaiting.nextWaiting = session;
    }
    lastWaiting = session;
    waitingCount++;
    publishWaiting();
  }

  /** Takes a session out of the queue, wherever it stands. */
  public void dequeue(Session session) {
    if (session.previousWaiting == null) {
      firstWaiting = session.nextWaiting;
    } else {
      session.previousWaiting.nextWaiting = session.nextWaiting;
    }
    if (session.nextWaiting == null) {
      lastWaiting = session.previousWaiting;
    } else {
      session.nextWaiting.previousWaiting = session.previousWaiting;
    }
    session.nextWaiting = null;
    session.previousWaiting = null;
    waitingCount--;
    publishWaiting();
  }

  /** The lane whose oldest waiting session has waited longer than ours, or -1. */
  public int laneThatWaitsLonger() {
    // Moving costs more than a place in the queue is worth: within one pool's size of places, order
    // is kept by lane.
    long own =
        firstWaiting == null ? LaneDemand.NOBODY : firstWaiting.ticket - shared.permits().limit();
    return shared.demand().laneThatWaitsLonger(lane, own);
  }

  private void publishWaiting() {
    long oldest = firstWaiting == null ? LaneDemand.NOBODY : firstWaiting.ticket;
    shared.demand().waiting(lane, oldest, waitingCount);
  }

  // --- sessions

  public int sessionCount() {
    return sessionCount;
  }

  public void sessions(int change) {
    sessionCount += change;
  }

  /** Sessions that are authenticated, and wait for the first connection of the pool. */
  public int awaitingWelcome() {
    return awaitingWelcome;
  }

  public void awaitingWelcome(int change) {
    awaitingWelcome += change;
  }

  /** True when sessions wait although a connection could be made, were it not for a limit. */
  public boolean isStarved() {
    return starved;
  }

  /** What the others were told about this pool's waiting, or {@link Permits#NOBODY}. */
  public long starvedMarkNs() {
    return starvedMarkNs;
  }

  public void starvedMarkNs(long starvedMarkNs) {
    this.starvedMarkNs = starvedMarkNs;
  }

  /**
   * True when another pool that shares a limit has waited at least {@code marginNs} longer than
   * this one.
   */
  public boolean isOthersTurn(long marginNs) {
    long theirsNs = shared.starvedSinceNs();
    if (theirsNs == Permits.NOBODY || theirsNs == starvedMarkNs) {
      return false;
    }
    return firstWaiting == null || firstWaiting.waitSinceNs - theirsNs > marginNs;
  }

  public void starved(boolean starved) {
    this.starved = starved;
  }
}
