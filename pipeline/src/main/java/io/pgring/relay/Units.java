package io.pgring.relay;

import io.pgring.config.PoolMode;
import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.TransactionStatus;
import io.pgring.session.PinCause;
import io.pgring.session.Session;
import io.pgring.session.Session.Wait;
import io.pgring.settings.SettingsChange;

/**
 * Decides at the beginning of a request unit whether its session may go on: it needs a server
 * connection, its turn on it, and its settings there. Relay's thread.
 */
final class Units {
  /** Answers that one connection may owe before its session has to wait. */
  static final int MAX_LEDGER_ENTRIES = 64 * 1024;

  private final RelayContext context;
  private final Checkout checkout;
  private final ServerWriter servers;
  private final ClientWriter clients;

  Units(RelayContext context, Checkout checkout, ServerWriter servers, ClientWriter clients) {
    this.context = context;
    this.checkout = checkout;
    this.servers = servers;
    this.clients = clients;
  }

  /** Makes the session wait; always false. */
  boolean mustWait(Session session, Wait reason) {
    session.wait = reason;
    session.waitSinceNs = context.nowNs;
    return false;
  }

  /** Makes sure the session holds a server connection that may take one more message. */
  boolean holdsServer(Session session) {
    ServerConnection server = session.server;
    if (server == null) {
      session.requestSinceNs = context.nowNs;
      if (isQueueFull(session)) {
        return refuseToQueue(session);
      }
      if (!checkout.take(session)) {
        return mustWait(session, Wait.SERVER);
      }
      return beginUnit(session);
    }
    if (session.atUnitStart) {
      if (server.cancelsInFlight > 0 && context.nowNs - server.cancelSinceNs < Cancels.GRACE_NS) {
        return mustWait(session, Wait.CANCEL);
      }
      // With an error behind it and no answer owed, nothing comes before the client's Sync.
      if (server.ledger().size() > 0
          && session.pool.waitingCount() > 0
          && session.poolMode() != PoolMode.SESSION
          && !session.pins().any()) {
        return mustWait(session, Wait.TURN);
      }
      if (server.ledger().isEmpty()) {
        session.requestSinceNs = context.nowNs;
      }
      if (!beginUnit(session)) {
        return false;
      }
    }
    return server.ledger().size() < MAX_LEDGER_ENTRIES || mustWait(session, Wait.LEDGER);
  }

  private static boolean isQueueFull(Session session) {
    int limit = session.pool.maxWaiting();
    return limit > 0 && session.pool.idleCount() == 0 && session.pool.waitingCount() >= limit;
  }

  private boolean refuseToQueue(Session session) {
    clients.error(
        session,
        "ERROR",
        "53300",
        "too many clients wait for a server connection",
        "max_waiting_clients is " + session.pool.maxWaiting(),
        null);
    session.failWaitingRequest = true;
    context.resumeLater(session);
    session.wait = Wait.SERVER;
    return false;
  }

  private boolean beginUnit(Session session) {
    ServerConnection server = session.server;
    server.unit++;
    if (session.hasStatements()) {
      session.statements().beginUnit();
    }
    if (server.status == TransactionStatus.IDLE && server.ledger().isEmpty()) {
      session.pins().namedPortalCauses = 0;
    }
    // Inside a transaction, or with answers outstanding, the connection is the session's and has
    // its settings.
    if (server.settings == session.settings && !server.ranReset
        || !server.ledger().isEmpty()
        || server.status != TransactionStatus.IDLE) {
      return true;
    }
    doubtWhatWasReset(session, server);
    if (server.settings == session.settings) {
      return true;
    }
    applySettings(session, server);
    // Settings that no server has seen may be refused, and then the request must not run.
    return session.settings.isAccepted() || mustWait(session, Wait.SETTINGS);
  }

  /**
   * RESET takes a parameter of the startup packet to the value of the server's login, not to the
   * client's; sending it anew is right for the client, and for whoever comes next. Not where the
   * session keeps the connection because of a SET, which that would undo.
   */
  private void doubtWhatWasReset(Session session, ServerConnection server) {
    if (server.ranReset
        && session.poolMode() != PoolMode.SESSION
        && !session.pins().has(PinCause.SETTING)
        && !session.pins().has(PinCause.UNKNOWN)) {
      server.settings = context.shared.settings().doubtful(server.settings, server.defaults);
      server.ranReset = false;
    }
  }

  private void applySettings(Session session, ServerConnection server) {
    SettingsChange change = session.settings.changeFrom(server.settings, server.defaults);
    ResponseLedger ledger = server.ledger();
    for (int i = 0; i < change.statements(); i++) {
      ledger.push(ResponseLedger.PARSE, ResponseLedger.APPLY);
      ledger.push(ResponseLedger.BIND, ResponseLedger.APPLY);
      ledger.push(ResponseLedger.EXECUTE, ResponseLedger.APPLY);
    }
    ledger.push(ResponseLedger.SYNC, ResponseLedger.APPLY);
    servers.append(server, change.messages());
    server.settings = session.settings;
    server.unnamedOwner = -1;
  }
}
