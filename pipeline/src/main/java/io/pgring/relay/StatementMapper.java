package io.pgring.relay;

import io.pgring.config.PoolMode;
import io.pgring.pipeline.FrameEvent;
import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.frontend.TargetFlyweight;
import io.pgring.session.PreparedStatement;
import io.pgring.session.Session;
import io.pgring.transport.ByteQueue;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Makes a client's prepared statements, named and unnamed, be there on whatever server connection
 * serves it. Relay's thread.
 */
final class StatementMapper {
  /** Marks the ledger entry of a Parse that only restores the client's unnamed statement. */
  static final int RESTORED = -2;

  private static final int MAX_KEPT_PARSE_BYTES = 16 * 1024;

  private final RelayContext context;
  private final ServerWriter servers;

  StatementMapper(RelayContext context, ServerWriter servers) {
    this.context = context;
    this.servers = servers;
  }

  /** True when server connections are shared, so that names have to be followed. */
  static boolean isMapped(Session session) {
    return session.poolMode() != PoolMode.SESSION;
  }

  /** The client's statement of this name, or null. */
  static PreparedStatement find(Session session, DirectBuffer buffer, int offset, int length) {
    return session.hasStatements() ? session.statements().find(buffer, offset, length) : null;
  }

  /**
   * True when the message must wait for the answers to earlier units, as one of them has prepared
   * or closed the name, and may yet fail.
   */
  static boolean isUnsettled(Session session, DirectBuffer buffer, int offset, int length) {
    return length > 0
        && session.hasStatements()
        && isMapped(session)
        && session.statements().isUnsettled(buffer, offset, length);
  }

  /**
   * Sends the statement's Parse ahead of a message that uses it, unless the connection holds it.
   */
  void ensurePrepared(ServerConnection server, PreparedStatement statement) {
    if (!server.statements().isUsable(statement, server.unit)) {
      sendParse(server, statement, ResponseLedger.SWALLOW, 0);
    }
  }

  /** Sends the Parse of a statement that this connection does not hold, or not for certain. */
  void sendParse(ServerConnection server, PreparedStatement statement, byte disposition, int name) {
    if (server.statements().size() >= context.maxPreparedStatements) {
      PreparedStatement evicted = server.statements().evict();
      if (evicted != null) {
        sendClose(server, evicted);
        context.shared.statements().release(evicted);
      }
    }
    // Whether an earlier Parse or Close of it was skipped behind an error is not always known yet;
    // closing a statement that
    // is not there is no error, and makes the Parse sure to meet no older one.
    sendClose(server, statement);
    if (server.statements().sent(statement, server.unit)) {
      context.shared.statements().retain(statement);
    }
    byte[] content = statement.sqlAndTypes();
    byte[] serverName = statement.serverName();
    context.scratch.putByte(0, FrontendMessage.PARSE);
    context.scratch.putInt(1, 4 + serverName.length + 1 + content.length, ByteOrder.BIG_ENDIAN);
    context.scratch.putBytes(5, serverName);
    context.scratch.putByte(5 + serverName.length, (byte) 0);
    server.ledger().push(ResponseLedger.PARSE, disposition, statement.id(), name);
    server.pool().serverParseCount++;
    servers.append(server, context.scratch, 0, 5 + serverName.length + 1);
    servers.append(server, content);
  }

  private void sendClose(ServerConnection server, PreparedStatement statement) {
    int length =
        FrontendEncoder.close(
            context.scratch, 0, TargetFlyweight.STATEMENT, statement.serverName());
    server.ledger().push(ResponseLedger.CLOSE, ResponseLedger.SWALLOW);
    servers.append(server, context.scratch, 0, length);
  }

  /**
   * Keeps a copy of the unnamed statement's Parse, as it may be bound after the server connection
   * was given back.
   */
  static void keepUnnamed(Session session, FrameEvent frame) {
    session.unnamedParse().clear();
    if (isMapped(session)
        && frame.part() == FrameEvent.WHOLE
        && frame.length() <= MAX_KEPT_PARSE_BYTES) {
      session.unnamedParse().append(frame.buffer(), frame.offset(), frame.length());
    }
  }

  /**
   * Makes sure that the connection's unnamed statement is this session's; false when it has none.
   */
  boolean ensureUnnamed(Session session) {
    ServerConnection server = session.server;
    if (server.unnamedOwner == session.key()) {
      return true;
    }
    ByteQueue parse = session.unnamedParse();
    if (parse.isEmpty()) {
      return false;
    }
    server.ledger().push(ResponseLedger.PARSE, ResponseLedger.SWALLOW, 0, RESTORED);
    servers.append(server, parse.buffer(), parse.head(), parse.size());
    server.unnamedOwner = session.key();
    return true;
  }
}
