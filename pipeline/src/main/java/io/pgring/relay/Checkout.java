package io.pgring.relay;

import io.pgring.config.PoolMode;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.protocol.TransactionStatus;
import io.pgring.session.Session;
import io.pgring.session.Session.CopyPhase;
import io.pgring.session.Session.Wait;

/**
 * Brings sessions and server connections together and apart: first come, first served, and nothing
 * is handed on before the server has answered everything, is in no transaction, and no cancel
 * request may still hit it. Relay's thread.
 */
final class Checkout {
  private final RelayContext context;
  private final Connector connector;
  private final ServerWriter servers;
  private final ClientWriter clients;
  private final Cancels cancels;
  private final Migration migration;

  Checkout(
      RelayContext context,
      Connector connector,
      ServerWriter servers,
      ClientWriter clients,
      Cancels cancels,
      Migration migration) {
    this.context = context;
    this.connector = connector;
    this.servers = servers;
    this.clients = clients;
    this.cancels = cancels;
    this.migration = migration;
  }

  /**
   * Gives the session an idle connection, or puts it in the queue for one; false when it must wait.
   */
  boolean take(Session session) {
    Pool pool = session.pool;
    if (pool.waitingCount() == 0 && !pool.shared().isPaused()) {
      ServerConnection server = pool.pollIdle();
      if (server != null) {
        link(session, server);
        return true;
      }
    }
    session.waitSinceNs = context.nowNs;
    pool.enqueue(session);
    connector.want(pool);
    if (pool.isStarved()) {
      makeRoom(pool);
      migration.ask(pool);
    }
    return false;
  }

  private static void link(Session session, ServerConnection server) {
    server.owner = session;
    server.state = State.ACTIVE;
    session.server = server;
  }

  /**
   * Gives a connection back if nothing is open on it; called at the end of the duty cycle that saw
   * its ReadyForQuery, or whenever what held it up is over.
   */
  void release(ServerConnection server) {
    if (server.isLost() || !server.isClean()) {
      return;
    }
    Session owner = server.owner;
    if (owner != null) {
      if (owner.insideMessage || !owner.atUnitStart || owner.poolMode() == PoolMode.SESSION) {
        return;
      }
      unlink(owner, server);
    }
    if (server.cancelsInFlight > 0) {
      server.state = State.CLEANING;
      return;
    }
    hand(server);
  }

  private void unlink(Session session, ServerConnection server) {
    session.server = null;
    server.owner = null;
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
    if (server.retire || server.isExpired(context.nowNs) || isOtherPoolsTurn(pool)) {
      context.lost(server, server.retire ? "connection retired" : "server lifetime over");
      return;
    }
    int laneThatWaits = pool.laneThatWaitsLonger();
    if (laneThatWaits >= 0 && Migration.canLeave(server)) {
      migration.send(server, laneThatWaits);
      return;
    }
    Session next = pool.shared().isPaused() ? null : pool.firstWaiting();
    if (next == null) {
      server.state = State.IDLE;
      server.idleSinceNs = context.nowNs;
      pool.offerIdle(server);
      return;
    }
    pool.dequeue(next);
    pool.waitTimeNs += context.nowNs - next.waitSinceNs;
    link(next, server);
    context.resumeLater(next);
  }

  // --- limits that several pools share

  /**
   * Closes an idle connection of another pool, so that one can be made for this pool under the
   * shared limit.
   */
  private void makeRoom(Pool pool) {
    if (isFull(pool)) {
      return;
    }
    for (Pool other : context.poolList) {
      ServerConnection idle =
          other == pool || !sharesLimit(pool, other) ? null : other.longestIdle();
      if (idle != null && other.serverCount() > other.shared().database().minPoolSize()) {
        other.removeIdle(idle);
        context.lost(idle, "evicted");
        return;
      }
    }
  }

  /**
   * True when a pool that shares a limit with this one has waited longer, and only this
   * connection's end can help it.
   */
  private boolean isOtherPoolsTurn(Pool pool) {
    for (Pool other : context.poolList) {
      if (other != pool && other.isStarved() && !isFull(other) && sharesLimit(pool, other)) {
        Session theirs = other.firstWaiting();
        Session ours = pool.firstWaiting();
        if (theirs != null && (ours == null || theirs.waitSinceNs - ours.waitSinceNs < 0)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isFull(Pool pool) {
    return pool.shared().permits().used() >= pool.shared().permits().limit();
  }

  private static boolean sharesLimit(Pool one, Pool other) {
    return one.shared().key().database().equals(other.shared().key().database())
        || one.shared().key().user().equals(other.shared().key().user());
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
    unlink(session, server);
    if (server.isLost()) {
      return;
    }
    server.state = State.CLEANING;
    server.cleanDeadlineNs = context.nowNs + context.cancelWaitTimeoutNs;
    if (!server.ledger().isEmpty() && server.status != 0 && !copying) {
      cancels.cancelServer(server, null);
    }
    if (hopeless) {
      context.lost(server, "client disconnected in the middle of a message");
    } else if (copying) {
      servers.failCopy(server);
    } else if (unitOpen || server.ledger().isSkipping()) {
      servers.internalSync(server);
    } else if (server.ledger().isEmpty()) {
      clean(server, session.poolMode() == PoolMode.SESSION);
    }
    if (session.poolMode() == PoolMode.SESSION) {
      server.resetDue = true;
    }
  }

  /** The next step in bringing a connection without an owner back to a clean state. */
  void clean(ServerConnection server, boolean reset) {
    if (server.isLost() || server.owner != null || !server.ledger().isEmpty()) {
      return;
    }
    if (server.status != TransactionStatus.IDLE) {
      servers.internalQuery(server, "ROLLBACK");
    } else if (reset || server.resetDue) {
      server.resetDue = false;
      servers.internalQuery(server, context.shared.config().serverResetQuery());
    } else {
      context.releaseLater(server);
    }
  }
}
