package io.pgring.relay;

import io.pgring.pool.ServerConnection;
import io.pgring.protocol.BackendEncoder;
import io.pgring.session.Session;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.agrona.DirectBuffer;

/**
 * Sends to clients. A run of answers that came in one read leaves in one write straight from the
 * receive buffer; what is smaller is gathered, and what the socket refuses is kept while the server
 * that produces it is not read.
 */
final class ClientWriter {
  private static final String GONE = "client unexpected eof";

  private final RelayContext context;

  ClientWriter(RelayContext context) {
    this.context = context;
  }

  /** Queues bytes; they leave at the end of the duty cycle. */
  void append(Session session, DirectBuffer buffer, int offset, int length) {
    if (session.isClosed() || session.broken) {
      return;
    }
    if (session.output().append(buffer, offset, length)) {
      context.flushLater(session);
    } else {
      broken(session, "slab_budget_bytes is spent");
    }
  }

  /** Queues a message made beforehand. */
  void append(Session session, byte[] message) {
    if (!session.isClosed() && !session.broken && session.output().append(message)) {
      context.flushLater(session);
    }
  }

  /** Writes bytes of a receive buffer at once, unless others are queued before them. */
  void write(Session session, DirectBuffer buffer, ByteBuffer bytes, int offset, int length) {
    if (session.isClosed() || session.broken) {
      return;
    }
    if (!session.output().isEmpty()) {
      append(session, buffer, offset, length);
      flush(session);
      return;
    }
    bytes.limit(offset + length).position(offset);
    int written = session.client().channel().write(bytes);
    bytes.clear();
    if (written < 0) {
      gone(session);
    } else if (written < length) {
      append(session, buffer, offset + written, length - written);
      flush(session);
    } else {
      session.writeBlockedSinceNs = context.nowNs;
    }
  }

  /**
   * Writes what the socket takes now; stops reading the server while it does not take everything.
   */
  void flush(Session session) {
    if (session.isClosed() || session.broken) {
      return;
    }
    int written = session.output().writeTo(session.client().channel());
    if (written < 0) {
      gone(session);
      return;
    }
    if (written > 0) {
      session.writeBlockedSinceNs = context.nowNs;
    }
    boolean blocked = !session.output().isEmpty();
    if (blocked != session.writeBlocked) {
      session.writeBlocked = blocked;
      session.writeBlockedSinceNs = context.nowNs;
      SelectionKey key = session.client().writeKey(context.selector);
      if (blocked) {
        key.interestOpsOr(SelectionKey.OP_WRITE);
      } else {
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
      }
      readServer(session.server, !blocked);
    }
  }

  /** The socket takes bytes again. */
  void onWritable(Session session) {
    flush(session);
    if (session.phase != Session.Phase.READY) {
      context.flushLater(session);
    }
  }

  void error(
      Session session,
      String severity,
      String sqlState,
      String message,
      String detail,
      String hint) {
    int length =
        BackendEncoder.errorResponse(context.scratch, 0, severity, sqlState, message, detail, hint);
    append(session, context.scratch, 0, length);
  }

  /** Tells the client why it is disconnected, and ends the session. */
  void fatal(Session session, String sqlState, String message, String hint) {
    error(session, "FATAL", sqlState, message, null, hint);
    context.closeLater(session, message);
  }

  void readyForQuery(Session session, byte status) {
    session.status = status;
    append(session, context.scratch, 0, BackendEncoder.readyForQuery(context.scratch, 0, status));
  }

  /**
   * The client's socket has ended. A client that has said goodbye behind requests that wait has
   * them done, as PostgreSQL does them before it reads the Terminate; one that has not is closed.
   */
  void gone(Session session) {
    if (session.saidGoodbye && session.phase == Session.Phase.READY) {
      session.output().clear();
      session.broken = true;
      stopBlocking(session);
    } else {
      broken(session, GONE);
    }
  }

  private void stopBlocking(Session session) {
    if (session.writeBlocked) {
      session.writeBlocked = false;
      session.client().writeKey(context.selector).interestOpsAnd(~SelectionKey.OP_WRITE);
      readServer(session.server, true);
    }
  }

  private void broken(Session session, String reason) {
    session.output().clear();
    session.broken = true;
    context.closeLater(session, reason);
  }

  /** Turns the reading of a server on or off, as its client can take what it sends. */
  void readServer(ServerConnection server, boolean read) {
    if (server == null || server.readStopped != read || server.isLost()) {
      return;
    }
    server.readStopped = !read;
    if (read) {
      server.key.interestOpsOr(SelectionKey.OP_READ);
    } else {
      server.key.interestOpsAnd(~SelectionKey.OP_READ);
    }
  }
}
