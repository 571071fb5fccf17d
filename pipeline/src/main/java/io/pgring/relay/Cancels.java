package io.pgring.relay;

import io.pgring.pipeline.Selectable;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.session.Session;
import io.pgring.transport.Channel;
import io.pgring.transport.SocketStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cancel requests: finds what a client's key means, and carries the request to the server that runs
 * its query. A server that a request is on its way to is not handed on before it has closed that
 * connection, so a late one hits nobody else.
 *
 * @see <a
 *     href="https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS">Canceling
 *     Requests in Progress</a>
 */
final class Cancels {
  /**
   * How long a server connection that has nothing else to do waits for a cancel request that is
   * still on its way to it. Then it is closed, since a backend that has ended cannot be hit; and a
   * session in a transaction goes on, as it could be hit by its own late request on a direct
   * connection too.
   */
  static final long GRACE_NS = 1_000_000_000L;

  private static final int LANE_SHIFT = 20;
  private static final int SLOT_MASK = (1 << LANE_SHIFT) - 1;

  private final RelayContext context;
  private final ClientWriter clients;
  private final List<Request> underWay = new ArrayList<>();

  Cancels(RelayContext context, ClientWriter clients) {
    this.context = context;
    this.clients = clients;
  }

  /** The process id that a session tells its client: it leads back to lane and slot. */
  static int processId(int lane, int slot) {
    return lane + 1 << LANE_SHIFT | slot;
  }

  /** Lane that a process id leads to; may be out of range, since clients send what they like. */
  static int laneOf(int processId) {
    return (processId >>> LANE_SHIFT) - 1;
  }

  static int slotOf(int processId) {
    return processId & SLOT_MASK;
  }

  /**
   * Cancels what a session of this lane is doing, if the key is right.
   *
   * @param done run, on this thread, once the request can have no effect any more
   */
  void cancel(int processId, byte[] key, Runnable done) {
    int slot = slotOf(processId);
    Session session = slot < context.sessions.length ? context.sessions[slot] : null;
    boolean known =
        session != null
            && session.processId() == processId
            && MessageDigest.isEqual(session.cancelKey(), key);
    if (known && session.phase == Session.Phase.CONSOLE) {
      ((Console.Session) session.console).cancel();
      done.run();
    } else if (!known || session.phase != Session.Phase.READY) {
      ConnectionLog.cancelRefused();
      done.run();
    } else if (session.wait == Session.Wait.SERVER) {
      failWaiting(session, "57014", "canceling statement due to user request", null);
      done.run();
    } else if (session.server != null && !session.server.ledger().isEmpty()) {
      cancelServer(session.server, done);
    } else {
      done.run();
    }
  }

  /**
   * Takes a session out of its queue with an error: the request that waits is dropped, those behind
   * it are evaluated.
   */
  void failWaiting(Session session, String sqlState, String message, String hint) {
    session.pool.dequeue(session);
    clients.error(session, "ERROR", sqlState, message, null, hint);
    session.failWaitingRequest = true;
    context.resumeLater(session);
  }

  /** Opens a connection to the server and asks it to cancel what this connection runs. */
  void cancelServer(ServerConnection server, Runnable done) {
    SocketAddress address = server.address;
    Request request =
        new Request(
            server, SocketStream.connect(address, context.shared.config().socketOptions()), done);
    server.cancelsInFlight++;
    server.cancelSinceNs = context.nowNs;
    underWay.add(request);
    request.start();
  }

  /** Gives up on requests that the server does not answer. */
  void tick() {
    for (int i = underWay.size() - 1; i >= 0; i--) {
      if (context.nowNs - underWay.get(i).deadlineNs >= 0) {
        underWay.get(i).end("timeout");
      }
    }
  }

  private final class Request implements Selectable {
    private final ServerConnection server;
    private final Channel channel;
    private final Runnable done;
    private final long deadlineNs = context.nowNs + context.cancelWaitTimeoutNs;
    private final ByteBuffer bytes;
    private SelectionKey key;
    private boolean sent;
    private boolean ended;

    Request(ServerConnection server, Channel channel, Runnable done) {
      this.server = server;
      this.channel = channel;
      this.done = done;
      UnsafeBuffer message =
          new UnsafeBuffer(ByteBuffer.allocateDirect(16 + server.cancelKey.length));
      int length = FrontendEncoder.cancelRequest(message, 0, server.processId, server.cancelKey);
      bytes = message.byteBuffer();
      bytes.limit(length);
    }

    void start() {
      switch (channel.finishConnect()) {
        case FAILED:
          end(channel.failure());
          break;
        case CONNECTED:
          key = channel.register(context.selector.selector(), SelectionKey.OP_READ, this);
          send();
          break;
        default:
          key = channel.register(context.selector.selector(), SelectionKey.OP_CONNECT, this);
          break;
      }
    }

    @Override
    public void onReady(int readyOps) {
      if (ended) {
        return;
      }
      if (!sent) {
        if (channel.finishConnect() == Channel.ConnectState.FAILED) {
          end(channel.failure());
        } else if (channel.finishConnect() == Channel.ConnectState.CONNECTED) {
          key.interestOps(SelectionKey.OP_READ);
          send();
        }
        return;
      }
      bytes.clear();
      if (channel.read(bytes) < 0) {
        end(null);
      }
    }

    private void send() {
      sent = true;
      // A fresh socket takes a dozen bytes at once.
      if (channel.write(bytes) < 0) {
        end(channel.failure());
      }
    }

    private void end(String failure) {
      if (ended) {
        return;
      }
      ended = true;
      channel.close();
      underWay.remove(this);
      if (failure != null) {
        ConnectionLog.cancelFailed(server, failure);
        server.retire = true;
      }
      server.cancelsInFlight--;
      if (server.cancelsInFlight == 0) {
        if (server.owner != null && server.owner.wait == Session.Wait.CANCEL) {
          context.resumeLater(server.owner);
        }
        context.releaseLater(server);
      }
      if (done != null) {
        done.run();
      }
    }
  }
}
