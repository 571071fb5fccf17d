package io.pgring.relay;

import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.session.Session;
import java.nio.channels.SelectionKey;
import org.agrona.DirectBuffer;

/**
 * Sends to servers: what one duty cycle produced for a connection leaves in one write at its end.
 * The queue is bounded by the credit of the session that holds the connection, so there is always
 * room.
 */
final class ServerWriter {
  private static final String BUDGET_SPENT = "slab_budget_bytes is spent";

  /** CopyFail with the reason "gone". */
  private static final byte[] COPY_FAIL = {'f', 0, 0, 0, 9, 'g', 'o', 'n', 'e', 0};

  private final RelayContext context;

  ServerWriter(RelayContext context) {
    this.context = context;
  }

  void append(ServerConnection server, DirectBuffer buffer, int offset, int length) {
    if (server.output().append(buffer, offset, length)) {
      context.flushLater(server);
    } else {
      context.lost(server, BUDGET_SPENT);
    }
  }

  void append(ServerConnection server, byte[] bytes) {
    if (server.output().append(bytes)) {
      context.flushLater(server);
    } else {
      context.lost(server, BUDGET_SPENT);
    }
  }

  /** Sends a Query of pgring's own, whose answer nobody sees. */
  void internalQuery(ServerConnection server, String sql) {
    server.ledger().push(ResponseLedger.QUERY, ResponseLedger.SWALLOW);
    append(server, context.scratch, 0, FrontendEncoder.query(context.scratch, 0, sql));
  }

  /** Sends a Sync of pgring's own, which ends a unit whose client has left. */
  void internalSync(ServerConnection server) {
    server.ledger().push(ResponseLedger.SYNC, ResponseLedger.SWALLOW);
    append(server, context.scratch, 0, FrontendEncoder.sync(context.scratch, 0));
  }

  /** Makes the server send what it has answered so far. */
  void internalFlush(ServerConnection server) {
    append(server, context.scratch, 0, FrontendEncoder.flush(context.scratch, 0));
  }

  /** Ends a COPY FROM STDIN whose client has left. */
  void failCopy(ServerConnection server) {
    boolean simple = server.ledger().headKind() == ResponseLedger.QUERY;
    append(server, COPY_FAIL);
    if (!simple) {
      internalSync(server);
    }
  }

  /** Says goodbye; the caller closes the socket. */
  void terminate(ServerConnection server) {
    if (server.output().append(context.scratch, 0, FrontendEncoder.terminate(context.scratch, 0))) {
      server.output().writeTo(server.channel());
    }
  }

  /** Writes what the socket takes now. */
  void flush(ServerConnection server) {
    if (server.isLost() || server.output().isEmpty()) {
      return;
    }
    int written = server.output().writeTo(server.channel());
    if (written < 0) {
      // Reading tells what the server said last, and reports the failure.
      server.output().clear();
      returnCredit(server, Integer.MAX_VALUE);
      return;
    }
    server.pool().sentBytes += written;
    boolean blocked = !server.output().isEmpty();
    if (blocked != server.writeBlocked) {
      server.writeBlocked = blocked;
      if (blocked) {
        server.key.interestOpsOr(SelectionKey.OP_WRITE);
      } else {
        server.key.interestOpsAnd(~SelectionKey.OP_WRITE);
      }
    }
    returnCredit(server, blocked ? written : Integer.MAX_VALUE);
    if (!blocked && server.state == State.ACTIVE && server.ledger().isEmpty()) {
      // The last answer came before the last bytes, a Flush behind the Sync, had left.
      context.releaseLater(server);
    }
  }

  private void returnCredit(ServerConnection server, int bytes) {
    Session owner = server.owner;
    if (owner != null && owner.pendingCreditBytes > 0) {
      int credit = Math.min(bytes, owner.pendingCreditBytes);
      owner.pendingCreditBytes -= credit;
      owner.client().relayed(credit);
    }
  }
}
