package io.pgring.relay;

import io.pgring.config.PoolMode;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.protocol.TransactionStatus;
import io.pgring.session.PreparedStatement;
import io.pgring.session.Session;
import io.pgring.session.Session.Phase;

/**
 * Ends sessions and server connections at the end of a duty cycle, when nothing works on them any
 * more. Relay's thread.
 */
final class Endings {
  private final RelayContext context;
  private final Checkout checkout;
  private final Connector connector;
  private final ClientWriter clients;
  private final Pinning pinning;

  Endings(
      RelayContext context,
      Checkout checkout,
      Connector connector,
      ClientWriter clients,
      Pinning pinning) {
    this.context = context;
    this.checkout = checkout;
    this.connector = connector;
    this.clients = clients;
    this.pinning = pinning;
  }

  /**
   * Ends a session whose phase is CLOSING: lets go of all it holds; the socket is closed once its
   * output has left.
   */
  void close(Session session) {
    checkout.abandon(session);
    session.parked().clear();
    session.unnamedParse().clear();
    if (session.pool != null) {
      leave(session);
    }
    if (session.console instanceof Console.Session console) {
      console.cancel();
    }
    ConnectionLog.closing(session, context.nowNs);
    finish(session);
  }

  /** Ends all sessions and server connections of a database at once; null: of all. */
  void kill(String database) {
    for (Session session : context.sessions) {
      if (session != null
          && session.pool != null
          && session.phase.compareTo(Phase.CLOSING) < 0
          && isOf(session.pool, database)) {
        clients.fatal(
            session, "57P01", "terminating connection due to administrator command", null);
      }
    }
    for (Pool pool : context.poolList) {
      for (int i = pool.serverCount() - 1; i >= 0 && isOf(pool, database); i--) {
        context.lost(pool.server(i), "admin forced disconnect");
      }
    }
  }

  private static boolean isOf(Pool pool, String database) {
    return database == null || database.equals(pool.shared().key().database());
  }

  private void leave(Session session) {
    if (session.hasStatements()) {
      session.statements().clear(context.shared.statements()::release);
    }
    if (session.awaitsWelcome) {
      session.awaitsWelcome = false;
      session.pool.awaitingWelcome(-1);
    }
    if (session.counted) {
      session.counted = false;
      session.pool.sessions(-1);
      context.shared.clientCounts().remove(session.databaseName(), session.userName());
    }
  }

  /** Closes the socket of a closing session once its output has left, or cannot leave. */
  void finish(Session session) {
    if (session.phase != Phase.CLOSING) {
      return;
    }
    if (!session.output().isEmpty() && !session.broken) {
      clients.flush(session);
      if (!session.output().isEmpty() && !session.broken) {
        return;
      }
    }
    session.phase = Phase.CLOSED;
    session.output().clear();
    context.sessions[session.client().slot()] = null;
    session.client().close();
  }

  /** Ends a server connection that is lost, and tells its session. */
  void serverLost(ServerConnection server) {
    boolean connecting = server.state == State.CONNECTING || server.state == State.LOGGING_IN;
    server.state = State.CLOSED;
    server.channel().close();
    server.output().clear();
    server.incomplete().clear();
    server.pool().remove(server);
    server.pool().shared().release();
    PreparedStatement statement;
    while ((statement = server.statements().removeAny()) != null) {
      context.shared.statements().release(statement);
    }
    if (connecting) {
      connector.onFailed(server);
      if (server.loginRefused) {
        failLogins(server);
      }
    } else {
      ConnectionLog.closing(server, context.nowNs);
    }
    if (server.owner != null) {
      tellOwner(server, server.owner);
    }
    // The owner learns from it which of its prepared statements have come to nothing.
    server.ledger().clear();
    server.owner = null;
    for (Pool pool : context.poolList) {
      if (pool == server.pool() || pool.isStarved()) {
        connector.want(pool);
      }
    }
  }

  private void tellOwner(ServerConnection server, Session owner) {
    owner.server = null;
    server.pool().unhold(server, context.nowNs);
    owner.client().relayed(owner.pendingCreditBytes);
    owner.pendingCreditBytes = 0;
    owner.copy = Session.CopyPhase.NONE;
    owner.dropFragments = true;
    owner.insideMessage = false;
    // A session that goes on without what it left in the connection would be wrong in silence.
    boolean ownConnection = owner.pins().any() || owner.poolMode() == PoolMode.SESSION;
    pinning.release(owner);
    if (server.saidFatal) {
      context.closeLater(owner, "server closed the connection: " + server.lostReason);
      return;
    }
    boolean inTransaction = server.status != TransactionStatus.IDLE;
    boolean halfAnswered = server.passThroughBytes > 0;
    String message = "server closed the connection unexpectedly";
    if (halfAnswered) {
      owner.output().clear();
      owner.broken = true;
      context.closeLater(owner, message);
    } else if (inTransaction || server.ledger().isEmpty() || ownConnection) {
      clients.fatal(owner, "08006", message, null);
    } else {
      failUnits(server, owner, message);
    }
  }

  /** Answers what the lost server still owed: one error for each unit, and its ReadyForQuery. */
  private void failUnits(ServerConnection server, Session owner, String message) {
    int ends = server.ledger().countUnitEnds();
    for (int i = 0; i < ends; i++) {
      clients.error(
          owner,
          "ERROR",
          "08006",
          message,
          null,
          "the statement may or may not have been executed");
      clients.readyForQuery(owner, TransactionStatus.IDLE);
    }
    if (!owner.atUnitStart || server.ledger().isSkipping()) {
      if (!server.ledger().isSkipping()) {
        clients.error(
            owner,
            "ERROR",
            "08006",
            message,
            null,
            "the statement may or may not have been executed");
      }
      owner.skipToSync = true;
    }
    if (owner.isWaiting()) {
      context.resumeLater(owner);
    }
  }

  /**
   * A server that refuses the login has said why; those who can only wait for this very login are
   * told at once.
   */
  private void failLogins(ServerConnection server) {
    if (server.pool().serverCount() > 0 || isTemporary(server)) {
      return;
    }
    String state = server.pool().shared().logins().lastFailureState();
    String message = server.pool().shared().logins().lastFailure();
    for (Session session : context.sessions) {
      if (session != null
          && session.pool == server.pool()
          && (session.phase == Phase.AWAITING_WELCOME || session.wait == Session.Wait.SERVER)) {
        clients.fatal(session, state, message, null);
      }
    }
  }

  private static boolean isTemporary(ServerConnection server) {
    String state = server.pool().shared().logins().lastFailureState();
    return state == null || state.startsWith("57") || state.startsWith("53") || state.isEmpty();
  }
}
