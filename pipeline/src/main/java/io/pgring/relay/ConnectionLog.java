package io.pgring.relay;

import io.pgring.pool.ServerConnection;
import io.pgring.session.Session;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines that the log has about connections, in PgBouncer's wording, since operators search for
 * it; {@code docs/log-messages.md} lists them with all reasons. None of them is written for a
 * request. Relay's thread.
 */
final class ConnectionLog {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

  private ConnectionLog() {}

  /** A client has said who it wants to be. */
  static void loginAttempt(Session session) {
    LOG.info(
        "{} login attempt: db={} user={} tls=no",
        session,
        Session.printable(session.databaseName()),
        Session.printable(session.userName()));
  }

  /** A client is refused. */
  static void refused(Session session, String message) {
    LOG.warn("{} pooler error: {}", session, message);
  }

  /** A client's connection ends. */
  static void closing(Session session, long nowNs) {
    LOG.info(
        "{} closing because: {} (age={}s)",
        session,
        session.closeReason,
        TimeUnit.NANOSECONDS.toSeconds(nowNs - session.connectedNs));
  }

  /** A server has let pgring in. */
  static void connected(ServerConnection server) {
    LOG.info(
        "{} new connection to server (from {}, pid={})",
        server,
        server.channel().local(),
        server.processId);
  }

  /** A server connection could not be made. */
  static void failed(ServerConnection server, long nowNs) {
    LOG.warn("{} closing because: {} (age={}s)", server, server.lostReason, age(server, nowNs));
  }

  /** A server connection ends. */
  static void closing(ServerConnection server, long nowNs) {
    LOG.info("{} closing because: {} (age={}s)", server, server.lostReason, age(server, nowNs));
  }

  private static long age(ServerConnection server, long nowNs) {
    return TimeUnit.NANOSECONDS.toSeconds(nowNs - server.createdNs);
  }

  /** A cancel request that cannot be carried out. */
  static void cancelRefused() {
    LOG.info("failed cancel request: no such session");
  }

  /** A cancel request that did not reach the server. */
  static void cancelFailed(ServerConnection server, String failure) {
    LOG.warn("{} cancel request failed: {}", server, failure);
  }
}
