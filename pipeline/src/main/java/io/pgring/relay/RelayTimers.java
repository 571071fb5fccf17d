package io.pgring.relay;

import io.pgring.config.Timeouts;
import io.pgring.config.UserConfig;
import io.pgring.pool.ConcurrencyLimit;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.pool.SharedPool;
import io.pgring.protocol.TransactionStatus;
import io.pgring.session.PinCause;
import io.pgring.session.Session;
import io.pgring.session.Session.Phase;
import io.pgring.session.Session.Wait;
import io.pgring.transport.resolve.ResolvedAddress;

/**
 * Everything that happens because time has passed. Walks the lane's pools and sessions in a tick,
 * which comes often while somebody waits for something and seldom otherwise; walking a thousand
 * sessions costs less than keeping a timer for each request would. Relay's thread.
 */
final class RelayTimers {
  private static final long BUSY_TICK_NS = 20_000_000L;
  private static final long QUIET_TICK_NS = 250_000_000L;
  private static final long LINGER_NS = 5_000_000_000L;

  private final RelayContext context;
  private final Connector connector;
  private final Checkout checkout;
  private final Cancels cancels;
  private final ClientWriter clients;
  private Timeouts timeouts;
  private long nextTickNs;
  private boolean somebodyWaits;

  RelayTimers(
      RelayContext context,
      Connector connector,
      Checkout checkout,
      Cancels cancels,
      ClientWriter clients) {
    this.context = context;
    this.connector = connector;
    this.checkout = checkout;
    this.cancels = cancels;
    this.clients = clients;
    this.timeouts = context.shared.config().timeouts();
    this.nextTickNs = context.nowNs;
  }

  long untilNextTickNs() {
    long untilTickNs = Math.max(0, nextTickNs - context.nowNs);
    return context.heldBack.isEmpty()
        ? untilTickNs
        : Math.min(untilTickNs, ConcurrencyLimit.STALL_NS);
  }

  int tickIfDue() {
    if (context.nowNs - nextTickNs < 0) {
      return 0;
    }
    somebodyWaits = false;
    // By index, since an iterator is an object in every tick.
    for (int i = 0; i < context.poolList.size(); i++) {
      tick(context.poolList.get(i));
    }
    for (Session session : context.sessions) {
      if (session != null) {
        tick(session);
      }
    }
    cancels.tick();
    nextTickNs = context.nowNs + (somebodyWaits ? BUSY_TICK_NS : QUIET_TICK_NS);
    return 1;
  }

  void onReload() {
    timeouts = context.shared.config().timeouts();
    context.resetAlways = context.shared.config().serverResetQueryAlways();
    for (Session session : context.sessions) {
      UserConfig user = session == null ? null : context.shared.config().user(session.userName());
      if (user != null) {
        session.timeouts = user.timeouts();
      }
    }
    retireObsolete();
  }

  void retireObsolete() {
    for (Pool pool : context.poolList) {
      for (int i = 0; i < pool.serverCount(); i++) {
        retireIfChanged(pool.server(i));
      }
    }
  }

  private void retireIfChanged(ServerConnection server) {
    if (server.madeFor != server.pool().shared().generation()) {
      server.retire = true;
      if (server.state == State.IDLE) {
        context.lost(server, "database configuration changed");
      }
    }
  }

  void onAddressesChanged(ResolvedAddress resolved) {
    for (Pool pool : context.poolList) {
      if (!pool.shared().database().primary().equals(resolved.address())) {
        continue;
      }
      for (int i = 0; i < pool.serverCount(); i++) {
        ServerConnection server = pool.server(i);
        if (!resolved.current().contains(server.address)) {
          server.retire = true;
          if (server.state == State.IDLE) {
            context.lost(server, "server DNS lookup changed");
          }
        }
      }
    }
  }

  // --- pools and server connections

  private void tick(Pool pool) {
    for (int i = pool.serverCount() - 1; i >= 0; i--) {
      tick(pool, pool.server(i));
    }
    while (pool.firstWaiting() != null
        && isOver(pool.firstWaiting().waitSinceNs, timeouts.queryWaitTimeoutNs())) {
      failWait(pool, pool.firstWaiting());
    }
    connector.want(pool);
    checkout.seek(pool);
    somebodyWaits |=
        pool.waitingCount() > 0 || pool.connectingCount() > 0 || pool.awaitingWelcome() > 0;
  }

  private void tick(Pool pool, ServerConnection server) {
    switch (server.state) {
      case CONNECTING:
      case LOGGING_IN:
        if (isOver(server.createdNs, timeouts.serverConnectTimeoutNs())) {
          context.lost(server, "connect timeout");
        }
        break;
      case IDLE:
        if (server.isExpired(context.nowNs)) {
          context.lost(server, "server lifetime over");
        } else if (isOver(server.idleSinceNs, timeouts.serverIdleTimeoutNs())
            && pool.serverCount() > pool.shared().database().minPoolSize()) {
          context.lost(server, "server idle timeout");
        }
        break;
      case CLEANING:
        somebodyWaits = true;
        if (context.nowNs - server.cleanDeadlineNs >= 0) {
          context.lost(
              server,
              server.ledger().isEmpty()
                  ? "cancel request still under way"
                  : "client disconnect while server was not ready");
        }
        break;
      default:
        break;
    }
  }

  private void failWait(Pool pool, Session session) {
    SharedPool shared = pool.shared();
    String failure = shared.logins().lastFailure();
    if (pool.serverCount() == pool.connectingCount() && failure != null) {
      cancels.failWaiting(session, "57P03", "no healthy server: " + failure, null);
    } else {
      cancels.failWaiting(
          session,
          "53300",
          "query_wait_timeout",
          "all "
              + shared.permits().limit()
              + " server connections of the pool were in use for that long"
              + pinnedHint(shared.pinned()));
    }
  }

  private static String pinnedHint(int pinned) {
    return pinned == 0
        ? ""
        : "; "
            + pinned
            + " of them pinned to clients by LISTEN, advisory locks, temporary tables or the like: see"
            + " SHOW PINS on the console";
  }

  // --- sessions

  private void tick(Session session) {
    switch (session.phase) {
      case STARTUP:
      case AUTHENTICATING:
        somebodyWaits = true;
        if (isOver(session.connectedNs, timeouts.clientLoginTimeoutNs())) {
          context.closeLater(session, "client_login_timeout");
        }
        break;
      case AWAITING_WELCOME:
        if (isOver(session.waitSinceNs, timeouts.queryWaitTimeoutNs())
            || isOver(session.connectedNs, timeouts.clientLoginTimeoutNs())) {
          String failure = session.pool.shared().logins().lastFailure();
          clients.fatal(
              session,
              "57P03",
              "no healthy server" + (failure == null ? "" : ": " + failure),
              null);
        }
        break;
      case READY:
        tickReady(session);
        break;
      case CLOSING:
        somebodyWaits = true;
        if (isOver(session.waitSinceNs, LINGER_NS)) {
          session.broken = true;
          context.flushLater(session);
        }
        break;
      default:
        break;
    }
  }

  private void tickReady(Session session) {
    Timeouts timeouts = session.timeouts;
    if (session.writeBlocked
        && isOver(session.writeBlockedSinceNs, timeouts.clientWriteTimeoutNs())) {
      session.broken = true;
      context.closeLater(session, "client_write_timeout");
      return;
    }
    ServerConnection server = session.server;
    if (server == null) {
      if (session.wait == Wait.NONE && isOver(session.activeNs, timeouts.clientIdleTimeoutNs())) {
        clients.fatal(session, "57P05", "client_idle_timeout", null);
      }
      return;
    }
    if (session.wait == Wait.CANCEL) {
      somebodyWaits = true;
      if (isOver(server.cancelSinceNs, Cancels.GRACE_NS)) {
        context.resumeLater(session);
      }
    }
    boolean inTransaction = session.status != TransactionStatus.IDLE;
    if (!server.ledger().isEmpty()) {
      if (isOver(session.requestSinceNs, timeouts.queryTimeoutNs())
          && server.cancelsInFlight == 0) {
        cancels.cancelServer(server, null);
      }
    } else if (inTransaction && isOver(session.activeNs, timeouts.idleTransactionTimeoutNs())) {
      clients.fatal(session, "25P03", "idle_transaction_timeout", null);
      return;
    } else if (!inTransaction
        && session.atUnitStart
        && session.wait == Wait.NONE
        && !session.pins().has(PinCause.LISTEN)
        && isOver(session.activeNs, timeouts.clientIdleTimeoutNs())) {
      clients.fatal(session, "57P05", "client_idle_timeout", null);
      return;
    }
    if (inTransaction && isOver(session.transactionSinceNs, timeouts.transactionTimeoutNs())) {
      clients.fatal(session, "25P04", "transaction_timeout", null);
    }
  }

  private boolean isOver(long sinceNs, long timeoutNs) {
    return timeoutNs > 0 && context.nowNs - sinceNs >= timeoutNs;
  }

  // --- shutdown

  /** Ends sessions: those in no transaction, or all; true when none is left. */
  boolean shutDown(boolean all) {
    boolean none = true;
    for (Session session : context.sessions) {
      if (session == null) {
        continue;
      }
      none = false;
      boolean busy =
          session.server != null
              && (session.status != TransactionStatus.IDLE
                  || !session.server.ledger().isEmpty()
                  || !session.atUnitStart);
      if (session.phase.compareTo(Phase.CLOSING) < 0 && (all || !busy && !session.isWaiting())) {
        clients.fatal(
            session, "57P01", "terminating connection due to administrator command", null);
      }
    }
    return none;
  }
}
