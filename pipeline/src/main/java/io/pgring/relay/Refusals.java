package io.pgring.relay;

import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.BackendEncoder;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.session.Session;
import org.agrona.DirectBuffer;

/** Errors of pgring's own in the middle of a session's requests. Relay's thread. */
final class Refusals {
  /**
   * Marks a ledger entry whose error is replaced by a message that waits in the server connection.
   */
  static final int REPLACEMENT = -1;

  private static final String UNKNOWN_STATEMENT = "pgring_unknown";

  private final RelayContext context;
  private final ServerWriter servers;

  Refusals(RelayContext context, ServerWriter servers) {
    this.context = context;
    this.servers = servers;
  }

  /** Fails a message that names a statement which the client does not have. */
  void refuseUnknown(Session session, DirectBuffer buffer, int offset, int length) {
    refuse(
        session,
        "26000",
        "prepared statement \"" + text(buffer, offset, length) + "\" does not exist",
        null);
  }

  /** Fails a message about the unnamed statement, which the client does not have. */
  void refuseUnnamed(Session session) {
    refuse(session, "26000", "unnamed prepared statement does not exist", null);
  }

  /**
   * Fails the message at its place: the server is sent something that cannot succeed, so that it
   * aborts the transaction and skips the rest of the unit as it does for its own errors, and its
   * error is replaced by ours.
   */
  void refuse(Session session, String sqlState, String message, String hint) {
    ServerConnection server = session.server;
    if (server.ledger().isSkipping()) {
      return;
    }
    int length =
        BackendEncoder.errorResponse(context.scratch, 0, "ERROR", sqlState, message, null, hint);
    byte[] replacement = new byte[length];
    context.scratch.getBytes(0, replacement);
    server.replacements().add(replacement);
    server.ledger().push(ResponseLedger.BIND, ResponseLedger.REPLACE, 0, REPLACEMENT);
    length = FrontendEncoder.bind(context.scratch, 0, "", UNKNOWN_STATEMENT);
    servers.append(server, context.scratch, 0, length);
  }

  /** Fails a Query in the same way; what ends it for the client is then the answer to a Sync. */
  void refuseQuery(Session session, String sqlState, String message, String hint) {
    refuse(session, sqlState, message, hint);
    session.server.ledger().push(ResponseLedger.SYNC, ResponseLedger.FORWARD);
    servers.append(session.server, context.scratch, 0, FrontendEncoder.sync(context.scratch, 0));
  }

  static String text(DirectBuffer buffer, int offset, int length) {
    return buffer.getStringWithoutLengthUtf8(offset, length);
  }
}
