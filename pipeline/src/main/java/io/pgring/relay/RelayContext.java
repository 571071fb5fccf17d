package io.pgring.relay;

import io.pgring.config.DatabaseConfig;
import io.pgring.config.PgringConfig;
import io.pgring.config.UserConfig;
import io.pgring.pipeline.LaneSelector;
import io.pgring.pool.Pool;
import io.pgring.pool.PoolKey;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.SharedPool;
import io.pgring.session.Session;
import io.pgring.transport.SlabPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the parts of one lane's relay share: the lane's selector and memory, the cached clock, and
 * the work that is put off to the end of the duty cycle. Relay's thread only.
 */
final class RelayContext {
  private static final int SCRATCH_BYTES = 16 * 1024;

  final int lane;
  final LaneSelector selector;
  final SlabPool slabs;
  final Shared shared;
  final ErrorHandler errorHandler;
  final WorkList<ServerConnection> serversToFlush = new WorkList<>();
  final WorkList<ServerConnection> serversToRelease = new WorkList<>();
  final WorkList<Session> sessionsToFlush = new WorkList<>();
  final WorkList<Session> sessionsToResume = new WorkList<>();

  final WorkList<Session> sessionsToClose = new WorkList<>();
  final WorkList<ServerConnection> lostServers = new WorkList<>();

  /** Pools where sessions wait because of the limit on concurrency. */
  final WorkList<Pool> heldBack = new WorkList<>();

  /** From other threads. */
  final Inbox inbox;

  /** For messages that pgring makes itself; used within one call. */
  final UnsafeBuffer scratch = new UnsafeBuffer(ByteBuffer.allocateDirect(SCRATCH_BYTES));

  /** Sessions of this lane by slot. */
  final Session[] sessions;

  /** Pools of this lane; a list, since it is walked more often than it is searched. */
  final List<Pool> poolList = new ArrayList<>();

  private final Map<PoolKey, Pool> pools = new HashMap<>();

  final long cancelWaitTimeoutNs;
  final long reservePoolTimeoutNs;
  final int maxPreparedStatements;
  final int maxClientPreparedStatements;

  /** For jitter only. */
  final Random jitter = new Random();

  /**
   * A server connection has logged in, so that sessions which wait for the welcome of its pool can
   * go on.
   */
  boolean welcomeArrived;

  /**
   * The reset query runs after every transaction, not only when a client leaves in session mode.
   */
  boolean resetAlways;

  /** Monotonic time in nanoseconds, read once a duty cycle. */
  long nowNs = System.nanoTime();

  RelayContext(
      int lane, LaneSelector selector, SlabPool slabs, Shared shared, ErrorHandler errorHandler) {
    this.lane = lane;
    this.selector = selector;
    this.inbox = new Inbox(selector);
    this.slabs = slabs;
    this.shared = shared;
    this.errorHandler = errorHandler;
    PgringConfig config = shared.config();
    this.sessions = new Session[RelayStage.slots(config.limits())];
    this.reservePoolTimeoutNs = config.timeouts().reservePoolTimeoutNs();
    this.resetAlways = config.serverResetQueryAlways();
    this.cancelWaitTimeoutNs = config.timeouts().cancelWaitTimeoutNs();
    this.maxPreparedStatements = config.limits().maxPreparedStatements();
    this.maxClientPreparedStatements = config.limits().maxClientPreparedStatements();
  }

  /** This lane's pool of a database and user. */
  Pool pool(DatabaseConfig database, UserConfig user) {
    return poolOf(shared.pool(database, user), new PoolKey(database.name(), user.name()));
  }

  /** This lane's pool that belongs to a pool shared by all. */
  Pool poolOf(SharedPool sharedPool, PoolKey key) {
    Pool pool = pools.get(key);
    if (pool == null) {
      pool = new Pool(sharedPool, lane);
      pools.put(key, pool);
      poolList.add(pool);
    }
    return pool;
  }

  /** This lane's pool with this key, or null. */
  Pool findPool(PoolKey key) {
    return pools.get(key);
  }

  /** Ends a session: what is queued for it is still sent. No further frame of it is evaluated. */
  void closeLater(Session session, String reason) {
    if (session.phase.compareTo(Session.Phase.CLOSING) < 0) {
      session.phase = Session.Phase.CLOSING;
      session.closeReason = reason;
      // Since when its output lingers.
      session.waitSinceNs = nowNs;
      sessionsToClose.add(session);
    }
  }

  /** Gives a server connection up; nothing more is read from it or written to it. */
  void lost(ServerConnection server, String reason) {
    if (!server.isLost()) {
      server.lostReason = reason;
      // It is dropped at the end of the cycle; until then nobody must be given it.
      server.pool().removeIdle(server);
      lostServers.add(server);
    }
  }

  /** True when something put off waits to be done: the lane must not block. */
  boolean hasWork() {
    return hasUnsettled()
        || welcomeArrived
        || !serversToFlush.isEmpty()
        || !sessionsToFlush.isEmpty()
        || !inbox.isEmpty();
  }

  /** True when connections are to be handed on, or sessions resumed or ended. */
  boolean hasUnsettled() {
    return !(serversToRelease.isEmpty()
        && sessionsToResume.isEmpty()
        && sessionsToClose.isEmpty()
        && lostServers.isEmpty());
  }

  /** Runs something on relay's thread in its next duty cycle; any thread. */
  void post(Runnable command) {
    inbox.post(command);
  }

  void flushLater(ServerConnection server) {
    if (!server.flushQueued) {
      server.flushQueued = true;
      serversToFlush.add(server);
    }
  }

  void flushLater(Session session) {
    if (!session.flushQueued) {
      session.flushQueued = true;
      sessionsToFlush.add(session);
    }
  }

  void releaseLater(ServerConnection server) {
    if (!server.releaseQueued) {
      server.releaseQueued = true;
      serversToRelease.add(server);
    }
  }

  /** Notes a pool if sessions wait there because of the limit on concurrency. */
  void noteIfHeldBack(Pool pool) {
    if (!pool.heldBackQueued && pool.isHeldBack()) {
      pool.heldBackQueued = true;
      heldBack.add(pool);
    }
  }

  /** Ends a session's wait: its parked frames are evaluated once the present work is done. */
  void resumeLater(Session session) {
    session.wait = Session.Wait.NONE;
    if (!session.resumeQueued) {
      session.resumeQueued = true;
      sessionsToResume.add(session);
    }
  }
}
