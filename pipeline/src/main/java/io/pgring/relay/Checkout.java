package io.pgring.relay;

import io.pgring.config.PoolMode;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.pool.SharedPool;
import io.pgring.protocol.TransactionStatus;
import io.pgring.session.Session;
import io.pgring.session.Session.CopyPhase;
import io.pgring.session.Session.Wait;
import java.util.concurrent.TimeUnit;

/**
 * Brings sessions and server connections together and apart: first come, first served, and nothing
 * is handed on before the server has answered everything, is in no transaction, and no cancel
 * request may still hit it. Relay's thread.
 */
final class Checkout {
  /**
   * How much longer another pool must have waited for a connection of this one to be closed for it.
   */
  private static final long TURN_MARGIN_NS = 20_000_000L;

  /** How long a request may go on whose client has said goodbye: as long as it takes. */
  private static final long FINISH_NS = TimeUnit.DAYS.toNanos(365);

  private final RelayContext context;
  private final Connector connector;
  private final ServerWriter servers;
  private final ClientWriter clients;
  private final Cancels cancels;
  private final Migration migration;
  private final Pinning pinning;

  Checkout(
      RelayContext context,
      Connector connector,
      ServerWriter servers,
      ClientWriter clients,
      Cancels cancels,
      Migration migration,
      Pinning pinning) {
    this.context = context;
    this.connector = connector;
    this.servers = servers;
    this.clients = clients;
    this.cancels = cancels;
    this.migration = migration;
    this.pinning = pinning;
  }

  /**
   * Gives the session an idle connection, or puts it in the queue for one; false when it must wait.
   */
  boolean take(Session session) {
    Pool pool = session.pool;
    if (pool.waitingCount() == 0 && !pool.shared().isPaused() && mayStart(session)) {
      ServerConnection server = pool.pollIdle();
      if (server != null) {
        link(session, server);
        return true;
      }
    }
    session.waitSinceNs = context.nowNs;
    pool.enqueue(session);
    context.noteIfHeldBack(pool);
    connector.want(pool);
    seek(pool);
    return false;
  }

  private static boolean mayStart(Session session) {
    return session.poolMode() == PoolMode.SESSION || session.pool.startable() > 0;
  }

  private void link(Session session, ServerConnection server) {
    server.owner = session;
    server.state = State.ACTIVE;
    session.server = server;
    session.pins().ranStatement = false;
    server.used = true;
    session.pool.assignmentCount++;
    if (session.poolMode() != PoolMode.SESSION) {
      session.pool.hold(server, context.nowNs);
    }
    if (session.writeBlocked) {
      clients.readServer(server, false);
    }
  }

  /**
   * Gives a connection back if nothing is open on it; called at the end of the duty cycle that saw
   * its ReadyForQuery, or whenever what held it up is over.
   */
  void release(ServerConnection server) {
    if (server.isLost()) {
      return;
    }
    if (server.owner == null && server.state == State.CLEANING && isUnclean(server)) {
      clean(server);
      return;
    }
    if (!server.isClean()) {
      return;
    }
    Session owner = server.owner;
    if (owner != null) {
      if (owner.insideMessage || !owner.atUnitStart || owner.poolMode() == PoolMode.SESSION) {
        return;
      }
      if (owner.pins().any()) {
        // It may be idle for hours: what it does from here on is not limited.
        owner.pool.unhold(server, context.nowNs);
        if (owner.wait == Wait.TURN) {
          context.resumeLater(owner);
        }
        return;
      }
      unlink(owner, server);
      server.resetDue = context.resetAlways;
    }
    if (server.cancelsInFlight > 0) {
      server.state = State.CLEANING;
      server.cleanDeadlineNs = context.nowNs + Cancels.GRACE_NS;
    } else if (server.resetDue || server.discardDue) {
      server.state = State.CLEANING;
      clean(server);
    } else {
      hand(server);
    }
  }

  private static boolean isUnclean(ServerConnection server) {
    return server.resetDue || server.discardDue || server.status != TransactionStatus.IDLE;
  }

  private void unlink(Session session, ServerConnection server) {
    session.server = null;
    server.owner = null;
    session.pool.unhold(server, context.nowNs);
    if (session.pendingCreditBytes > 0) {
      session.client().relayed(session.pendingCreditBytes);
      session.pendingCreditBytes = 0;
    }
    if (session.writeBlocked) {
      clients.readServer(server, true);
    }
    if (session.isWaiting()) {
      context.resumeLater(session);
    }
  }

  /** Hands a clean connection to who has waited longest, or makes it idle. */
  private void hand(ServerConnection server) {
    Pool pool = server.pool();
    if (server.retire || server.isExpired(context.nowNs)) {
      context.lost(server, server.retire ? "obsolete connection" : "server lifetime over");
      return;
    }
    if (server.used
        && pool.isOthersTurn(TURN_MARGIN_NS)
        && pool.shared().tryHandOver(context.nowNs)) {
      context.lost(server, "another pool has waited longer");
      return;
    }
    int laneThatWaits = pool.laneThatWaitsLonger();
    if (laneThatWaits >= 0 && Migration.canLeave(server)) {
      migration.send(server, laneThatWaits);
      return;
    }
    Session next = pool.shared().isPaused() ? null : pool.firstWaiting();
    if (next == null || !mayStart(next)) {
      server.state = State.IDLE;
      server.idleSinceNs = context.nowNs;
      pool.offerIdle(server);
      context.noteIfHeldBack(pool);
      // Somebody may have begun to wait elsewhere before it could be seen that this one is idle.
      migration.giveIdle(pool, 1);
      return;
    }
    serve(next, server);
  }

  private void serve(Session next, ServerConnection server) {
    Pool pool = server.pool();
    pool.dequeue(next);
    pool.waitTimeNs += context.nowNs - next.waitSinceNs;
    link(next, server);
    context.resumeLater(next);
    context.noteIfHeldBack(pool);
  }

  /** Hands idle connections to those who wait, as far as the limit on concurrency allows by now. */
  private void startHeldBack(Pool pool) {
    if (pool.isHeldBack() && !pool.raisedAfterStall(context.nowNs)) {
      return;
    }
    while (pool.waitingCount() > 0
        && pool.idleCount() > 0
        && pool.startable() > 0
        && !pool.shared().isPaused()) {
      serve(pool.firstWaiting(), pool.pollIdle());
    }
    connector.want(pool);
  }

  /** Looks after the pools where sessions wait because of the limit on concurrency. */
  void startHeldBack() {
    int count = context.heldBack.size();
    for (int i = 0; i < count; i++) {
      Pool pool = context.heldBack.get(i);
      startHeldBack(pool);
      pool.heldBackQueued = false;
      context.noteIfHeldBack(pool);
    }
    context.heldBack.removeFirst(count);
  }

  // --- pauses

  /** Closes the idle connections of a paused pool. */
  void drain(Pool pool) {
    ServerConnection idle;
    while ((idle = pool.pollIdle()) != null) {
      context.lost(idle, "database is paused");
    }
  }

  /** Hands connections to those who waited for the end of the pause. */
  void resume(Pool pool) {
    for (int count = pool.idleCount(); count > 0; count--) {
      if (pool.waitingCount() > 0 || pool.laneThatWaitsLonger() >= 0) {
        hand(pool.pollIdle());
      }
    }
    connector.want(pool);
  }

  // --- other lanes

  /**
   * Where sessions wait because of a limit: asks lanes that have an idle connection for one, and
   * closes one of another pool that stands in the way. Called again from the lane's tick, since
   * what became idle in another pool meanwhile is told to nobody.
   */
  void seek(Pool pool) {
    if (pool.isStarved()) {
      SharedPool shared = pool.shared();
      migration.ask(shared, !shared.isFull() && !evictFor(shared));
    }
  }

  /** Takes in what another lane has given. */
  void takeIn(ServerConnection server) {
    migration.receive(server);
    Pool pool = server.pool();
    release(server);
    // Until now it stood for a session that waits here; from now on others see who still waits.
    pool.shared().demand().arrived(context.lane);
    if (pool.isStarved() && pool.waitingCount() > 0) {
      migration.ask(pool.shared(), false);
    }
  }

  // --- limits that several pools share

  /**
   * Gives idle connections to the lanes that have asked for them; where there is none, but a limit
   * that other pools share stands in their way, one of another pool is closed.
   */
  void share(SharedPool shared) {
    int asked = shared.demand().takeAsked(context.lane);
    Pool pool = context.findPool(shared.key());
    int given = pool == null ? 0 : migration.giveIdle(pool, asked);
    if (given == 0 && !shared.isFull()) {
      evictFor(shared);
    }
  }

  /**
   * Closes an idle connection of this lane that shares a limit with that pool; false when there is
   * none.
   */
  private boolean evictFor(SharedPool shared) {
    for (Pool other : context.poolList) {
      ServerConnection idle = shared.sharesLimitWith(other.shared()) ? other.longestIdle() : null;
      if (idle != null && other.serverCount() > other.shared().database().minPoolSize()) {
        other.removeIdle(idle);
        context.lost(idle, "evicted");
        return true;
      }
    }
    return false;
  }

  // --- a session leaves

  /**
   * Takes the connection from a session that leaves, and ends what it has begun: a running query is
   * cancelled, a COPY fails, an open unit gets its Sync, a transaction is rolled back. Where that
   * is not possible, the connection is closed.
   */
  void abandon(Session session) {
    if (session.wait == Wait.SERVER) {
      session.pool.dequeue(session);
    }
    session.wait = Wait.NONE;
    ServerConnection server = session.server;
    if (server == null) {
      return;
    }
    boolean hopeless =
        session.insideMessage || (session.copy == CopyPhase.ASKED && !session.copyBySimpleQuery);
    boolean copying = session.copy == CopyPhase.IN;
    boolean unitOpen = !session.atUnitStart;
    // PostgreSQL reads Terminate when it has done what came before it, a COMMIT perhaps.
    boolean finishes = session.saidGoodbye && !unitOpen && !copying && server.ledger().size() > 0;
    server.discardDue |= session.pins().isCounted();
    pinning.release(session);
    unlink(session, server);
    if (server.isLost()) {
      return;
    }
    server.state = State.CLEANING;
    limitCleaning(server);
    server.resetDue = context.resetAlways || session.poolMode() == PoolMode.SESSION;
    if (finishes) {
      server.cleanDeadlineNs = context.nowNs + FINISH_NS;
    } else if (server.ledger().size() > 0 && !copying) {
      cancels.cancelServer(server, null);
    }
    if (hopeless) {
      context.lost(server, "client disconnected in the middle of a message");
    } else if (copying) {
      servers.failCopy(server);
    } else if (server.ledger().isSkipping()) {
      servers.internalSync(server);
    } else if (unitOpen) {
      // A Sync would commit what the client never ended.
      context.lost(server, "client disconnected in the middle of a unit");
    } else if (server.ledger().isEmpty()) {
      clean(server);
    }
  }

  /** The next step in bringing a connection without an owner back to a clean state. */
  void clean(ServerConnection server) {
    if (server.isLost() || server.owner != null) {
      return;
    }
    if (server.ledger().isSkipping()) {
      // The error came when the client had gone. The server reads on at a Sync only, which has
      // nothing to commit after it.
      limitCleaning(server);
      servers.internalSync(server);
      return;
    }
    // A cancel request that is still under way must not hit what cleans.
    if (!server.ledger().isEmpty() || server.cancelsInFlight > 0) {
      return;
    }
    limitCleaning(server);
    if (server.status != TransactionStatus.IDLE) {
      servers.internalQuery(server, "ROLLBACK");
    } else if (server.discardDue) {
      server.discardDue = false;
      servers.internalQuery(server, "DISCARD ALL");
    } else if (server.resetDue) {
      server.resetDue = false;
      reset(server);
    } else {
      context.releaseLater(server);
    }
  }

  private void limitCleaning(ServerConnection server) {
    server.cleanDeadlineNs = context.nowNs + context.cancelWaitTimeoutNs;
  }

  private void reset(ServerConnection server) {
    String query = context.shared.config().serverResetQuery();
    if (query == null || query.isBlank()) {
      context.releaseLater(server);
    } else {
      servers.internalQuery(server, query);
    }
  }
}
