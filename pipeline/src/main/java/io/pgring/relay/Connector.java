package io.pgring.relay;

import io.pgring.login.ServerLogin;
import io.pgring.pool.Permits;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.pool.SharedPool;
import io.pgring.protocol.BackendMessage;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.MessageLayout;
import io.pgring.session.Session;
import io.pgring.settings.ReportedSettings;
import io.pgring.transport.Channel;
import io.pgring.transport.SocketStream;
import io.pgring.transport.resolve.ResolvedAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Makes server connections: as many as wait for one, within the limits, paced while a server
 * refuses. Runs the login up to the first ReadyForQuery; then the connection is released into its
 * pool. Relay's thread.
 */
final class Connector {
  private final RelayContext context;
  private final ServerWriter servers;
  private final ServerConnection.Events events;

  Connector(RelayContext context, ServerWriter servers, ServerConnection.Events events) {
    this.context = context;
    this.servers = servers;
    this.events = events;
  }

  /** What a connection needs while it logs in. */
  private static final class Login {
    final ServerLogin exchange;
    final ExpandableArrayBuffer welcome = new ExpandableArrayBuffer();
    int welcomeBytes;

    Login(ServerLogin exchange) {
      this.exchange = exchange;
    }
  }

  /**
   * Starts connections for those who wait, as far as limits and pace allow; called again from the
   * lane's tick.
   */
  void want(Pool pool) {
    SharedPool shared = pool.shared();
    pool.starved(false);
    if (pool.waitingCount() == 0 || shared.isPaused()) {
      feed(pool);
    }
    int needed = needed(pool);
    while (pool.connectingCount() < needed && !shared.isPaused()) {
      if (pool.isOthersTurn(0) || !shared.tryAcquire(reserve(pool))) {
        starve(pool);
        return;
      }
      feed(pool);
      if (!shared.logins().tryStart(context.nowNs) || !open(pool)) {
        shared.release();
        return;
      }
    }
  }

  /** Sessions wait, and a limit stands in the way: where others share it, they are told. */
  private static void starve(Pool pool) {
    feed(pool);
    pool.starved(pool.waitingCount() > 0);
    if (pool.isStarved() && !pool.shared().isFull()) {
      pool.starvedMarkNs(pool.firstWaiting().waitSinceNs);
      pool.shared().starved(pool.starvedMarkNs());
    }
  }

  private static void feed(Pool pool) {
    if (pool.starvedMarkNs() != Permits.NOBODY) {
      pool.shared().fed(pool.starvedMarkNs());
      pool.starvedMarkNs(Permits.NOBODY);
    }
  }

  private int needed(Pool pool) {
    int needed = Math.min(pool.waitingCount(), pool.startable() - pool.idleCount());
    if (pool.shared().reported() == null && pool.awaitingWelcome() > 0) {
      needed = Math.max(needed, 1);
    }
    int minimum = pool.sessionCount() > 0 ? pool.shared().database().minPoolSize() : 0;
    return Math.max(needed, minimum - (pool.serverCount() - pool.connectingCount()));
  }

  private int reserve(Pool pool) {
    Session first = pool.firstWaiting();
    boolean late =
        first != null && context.nowNs - first.waitSinceNs >= context.reservePoolTimeoutNs;
    return late ? pool.shared().database().reservePoolSize() : 0;
  }

  private boolean open(Pool pool) {
    ResolvedAddress resolved = context.shared.resolver().watch(pool.shared().database().primary());
    SocketAddress address = resolved.pick();
    if (address == null) {
      pool.shared()
          .logins()
          .failed(context.nowNs, null, "the name " + resolved.address() + " is not resolved");
      return false;
    }
    Channel channel = SocketStream.connect(address, context.shared.config().socketOptions());
    ServerConnection server =
        new ServerConnection(
            pool, channel, context.slabs, events, context.nowNs, jitteredLifetimeNs(pool));
    ServerLogin exchange =
        ServerLogin.of(
            pool.shared().credentials().user(),
            pool.shared().credentials().secret(),
            context.shared.provenKeys(pool.shared().key().user()),
            context.shared.saltedPasswords(),
            context.shared.random());
    server.login = new Login(exchange);
    server.id = context.shared.nextConnectionId();
    server.address = address;
    server.madeFor = pool.shared().generation();
    pool.add(server);
    pool.connecting(1);
    if (channel.finishConnect() == Channel.ConnectState.FAILED) {
      context.lost(server, "connect failed: " + channel.failure());
      return true;
    }
    server.key = channel.register(context.selector.selector(), SelectionKey.OP_CONNECT, server);
    if (channel.finishConnect() == Channel.ConnectState.CONNECTED) {
      connected(server);
    }
    return true;
  }

  // Connections made together must not end together.
  private long jitteredLifetimeNs(Pool pool) {
    long lifetimeNs = pool.shared().database().serverLifetimeNs();
    return lifetimeNs - (long) (lifetimeNs * 0.2 * context.jitter.nextDouble());
  }

  /** The socket of a connecting server has something to say. */
  void onConnectable(ServerConnection server) {
    switch (server.channel().finishConnect()) {
      case CONNECTED:
        connected(server);
        break;
      case FAILED:
        context.lost(server, "connect failed: " + server.channel().failure());
        break;
      default:
        break;
    }
  }

  private void connected(ServerConnection server) {
    server.state = State.LOGGING_IN;
    server.key.interestOps(SelectionKey.OP_READ);
    SharedPool shared = server.pool().shared();
    ExpandableArrayBuffer startup = new ExpandableArrayBuffer();
    int length =
        FrontendEncoder.startup(
            startup,
            0,
            FrontendMessage.PROTOCOL_3_0,
            "user",
            shared.credentials().user(),
            "database",
            shared.database().serverDatabase());
    servers.append(server, startup, 0, length);
  }

  /** A message during login. */
  void onMessage(ServerConnection server, byte type, DirectBuffer buffer, int offset, int length) {
    Login login = (Login) server.login;
    int body = offset + MessageLayout.HEADER_LENGTH;
    switch (type) {
      case BackendMessage.AUTHENTICATION:
        step(
            server,
            login,
            login.exchange.onAuthentication(buffer, body, length - MessageLayout.HEADER_LENGTH));
        break;
      case BackendMessage.PARAMETER_STATUS:
        login.welcome.putBytes(login.welcomeBytes, buffer, offset, length);
        login.welcomeBytes += length;
        break;
      case BackendMessage.BACKEND_KEY_DATA:
        server.processId = buffer.getInt(body, ByteOrder.BIG_ENDIAN);
        server.cancelKey = new byte[length - MessageLayout.HEADER_LENGTH - Integer.BYTES];
        buffer.getBytes(body + Integer.BYTES, server.cancelKey);
        break;
      case BackendMessage.READY_FOR_QUERY:
        loggedIn(server, login);
        break;
      case BackendMessage.ERROR_RESPONSE:
        server
            .pool()
            .shared()
            .logins()
            .failed(
                context.nowNs,
                ErrorText.sqlState(buffer, offset, length),
                ErrorText.message(buffer, offset, length));
        server.loginRefused = true;
        context.lost(server, "server login failed: " + ErrorText.of(buffer, offset, length));
        break;
      default:
        break;
    }
  }

  private void step(ServerConnection server, Login login, ServerLogin.Step step) {
    switch (step) {
      case SEND:
        servers.append(server, login.exchange.message());
        break;
      case NEEDS_KEY_DERIVATION:
        context.shared.background().execute(() -> derive(server, login));
        break;
      case FAILED:
        server.pool().shared().logins().failed(context.nowNs, "28000", login.exchange.failure());
        server.loginRefused = true;
        context.lost(server, "server login failed: " + login.exchange.failure());
        break;
      default:
        break;
    }
  }

  private void derive(ServerConnection server, Login login) {
    login.exchange.deriveKeys();
    context.post(
        () -> {
          if (!server.isLost()) {
            step(server, login, login.exchange.resume());
          }
        });
  }

  private void loggedIn(ServerConnection server, Login login) {
    Pool pool = server.pool();
    byte[] welcome = new byte[login.welcomeBytes];
    login.welcome.getBytes(0, welcome);
    server.defaults = new ReportedSettings(welcome);
    pool.shared().reported(server.defaults);
    pool.shared().logins().succeeded();
    pool.connecting(-1);
    server.login = null;
    server.connectedNs = context.nowNs;
    server.state = State.ACTIVE;
    context.welcomeArrived = true;
    ConnectionLog.connected(server);
    context.releaseLater(server);
  }

  /** Notes that a connection ended before it was usable. */
  void onFailed(ServerConnection server) {
    Pool pool = server.pool();
    pool.connecting(-1);
    if (!server.loginRefused) {
      pool.shared().logins().failed(context.nowNs, null, server.lostReason);
      context.shared.resolver().watch(pool.shared().database().primary()).failed(server.address);
    }
    ConnectionLog.failed(server, context.nowNs);
  }
}
