package io.pgring.lane;

import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.config.ThreadingMode;
import io.pgring.pool.Pool;
import io.pgring.protocol.FrontendMessage;
import io.pgring.relay.Console;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import io.pgring.session.Session;
import io.pgring.transport.SocketOptions;
import io.pgring.transport.SocketStream;
import io.pgring.transport.resolve.ResolverAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.AgentInvoker;

/**
 * A whole lane without a thread, stepped by the test, between clients and servers that are the
 * test's own ends of loopback sockets. Servers do what the test tells them, except that they let
 * everybody in as long as {@link #letsServersIn} is true. Used by one thread.
 */
final class SteppedLane implements AutoCloseable {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int KERNEL_BUFFER_BYTES = 64 * 1024;
  private static final int PROCESS_ID = 1000;

  final RelayStage relay;

  /** Whether a server answers a startup packet by itself. */
  boolean letsServersIn = true;

  private final ServerSocketChannel serverListener;
  private final ServerSocketChannel clientListener;
  private final Lane lane;
  private final AgentInvoker invoker;
  private final List<Throwable> faults = new ArrayList<>();
  private final List<Peer> clients = new ArrayList<>();
  private final List<Peer> unknown = new ArrayList<>();
  private final List<Peer> servers = new ArrayList<>();
  private final List<Peer> cancels = new ArrayList<>();

  SteppedLane() throws IOException {
    this(builder -> builder);
  }

  /**
   * @param changes settings beyond a pool of one connection for database d and user u
   */
  SteppedLane(UnaryOperator<PgringConfig.Builder> changes) throws IOException {
    serverListener = listen();
    serverListener.configureBlocking(false);
    clientListener = listen();
    int port = ((InetSocketAddress) serverListener.getLocalAddress()).getPort();
    PgringConfig config =
        changes
            .apply(
                PgringConfig.builder()
                    .set(ConfigKey.AUTH_TYPE, "trust")
                    .set(ConfigKey.LANES, "1")
                    .set(ConfigKey.THREADING, "fused")
                    .set(ConfigKey.MAX_CLIENT_CONN, "100")
                    .database("d", "127.0.0.1:" + port)
                    .setForDatabase("d", ConfigKey.POOL_SIZE, "1")
                    .user("u", "secret"))
            .build();
    ResolverAgent resolver =
        new ResolverAgent(
            host -> {
              throw new AssertionError("no names here");
            },
            System::nanoTime,
            Long.MAX_VALUE,
            name -> {});
    Shared shared = new Shared(config, resolver, Runnable::run, new NoConsole());
    lane = new Lane(0, ThreadingMode.INVOKER, shared, faults::add);
    relay = lane.relay();
    shared.lanes(new RelayStage[] {relay});
    invoker = new AgentInvoker(faults::add, null, lane.workers().get(0).agent());
    invoker.start();
  }

  private static ServerSocketChannel listen() throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return listener;
  }

  // --- stepping

  /** One duty cycle; what arrives meanwhile is taken by the peers. */
  void step() {
    invoker.invoke();
    acceptServers();
    clients.forEach(Peer::receive);
    servers.forEach(Peer::receive);
    cancels.forEach(Peer::receive);
    if (!faults.isEmpty()) {
      throw new AssertionError("a fault in the lane", faults.get(0));
    }
  }

  /** Steps until the condition holds. */
  void until(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    step();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("waited in vain: " + what);
      }
      pause(1);
      step();
    }
  }

  /** Steps so long that whatever was going to happen without further input has happened. */
  void settle() {
    for (int i = 0; i < 30; i++) {
      pause(1);
      step();
    }
  }

  /** Gives the kernel time, without a step. */
  static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // --- clients

  /** A socket that was accepted, and has said nothing yet. */
  Peer accept() throws IOException {
    SocketChannel outside = SocketChannel.open();
    outside.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BUFFER_BYTES);
    outside.connect(clientListener.getLocalAddress());
    SocketChannel inside = clientListener.accept();
    inside.setOption(StandardSocketOptions.SO_SNDBUF, KERNEL_BUFFER_BYTES);
    Peer client = new Peer(outside, Wire::fromServer);
    clients.add(client);
    if (!lane.selectorAgent()
        .adopt(
            SocketStream.accepted(
                inside, clientListener.getLocalAddress(), SocketOptions.DEFAULTS))) {
      throw new AssertionError("not adopted");
    }
    return client;
  }

  /** A client that has logged in. */
  Peer client() throws IOException {
    Peer client = accept().send(Wire.startup("u", "d"));
    String[] greeting = {""};
    until("welcome", () -> (greeting[0] += client.take()).endsWith("Z[I]"));
    return client;
  }

  /** Steps until so much has come for a peer, and compares. */
  void expect(Peer peer, String messages) {
    StringBuilder received = new StringBuilder();
    try {
      until(
          messages,
          () -> {
            String more = peer.take();
            received.append(received.length() > 0 && !more.isEmpty() ? " " : "").append(more);
            return received.length() >= messages.length();
          });
    } catch (AssertionError e) {
      throw new AssertionError("received " + received + " instead of " + messages, e);
    }
    if (!received.toString().equals(messages)) {
      throw new AssertionError("received " + received + " instead of " + messages);
    }
  }

  /** Like {@link #expect}, but more may have come behind it. */
  void expectStart(Peer peer, String messages) {
    String[] received = {""};
    until(
        messages,
        () -> (received[0] = (received[0] + " " + peer.take()).trim()).startsWith(messages));
  }

  /** Nothing comes for a peer, however long the lane runs. */
  void expectNothing(Peer peer) {
    settle();
    String received = peer.take();
    if (!received.isEmpty()) {
      throw new AssertionError("received " + received);
    }
  }

  void expectEnd(Peer peer) {
    until("the end", peer::isEnded);
  }

  /** The lane's sessions. */
  List<Session> sessions() {
    List<Session> sessions = new ArrayList<>();
    for (Session session : relay.sessions()) {
      if (session != null) {
        sessions.add(session);
      }
    }
    return sessions;
  }

  Pool pool() {
    return relay.pools().get(0);
  }

  // --- servers

  /** The server connections in the order in which they were made. */
  Peer server(int index) {
    until("server connection " + index, () -> servers.size() > index);
    return servers.get(index);
  }

  int serverCount() {
    return servers.size();
  }

  /** The connections that brought a cancel request. */
  Peer cancel(int index) {
    until("cancel request " + index, () -> cancels.size() > index);
    return cancels.get(index);
  }

  int cancelCount() {
    return cancels.size();
  }

  private void acceptServers() {
    try {
      SocketChannel socket;
      while (serverListener.isOpen() && (socket = serverListener.accept()) != null) {
        unknown.add(new Peer(socket, Wire::fromClient));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    unknown.removeIf(this::isKnownNow);
  }

  private boolean isKnownNow(Peer peer) {
    peer.receive();
    byte[] packet = peer.takePacket();
    if (packet == null) {
      return peer.isEnded();
    }
    if (ByteBuffer.wrap(packet).getInt(4) == FrontendMessage.CANCEL_REQUEST) {
      cancels.add(peer);
    } else {
      servers.add(peer);
      if (letsServersIn) {
        peer.send(Wire.welcome(PROCESS_ID + servers.size()));
      }
    }
    return true;
  }

  /** No connection can be made to the server any more. */
  void stopServer() throws IOException {
    serverListener.close();
    servers.forEach(Peer::close);
  }

  @Override
  public void close() throws IOException {
    invoker.close();
    clients.forEach(Peer::close);
    servers.forEach(Peer::close);
    cancels.forEach(Peer::close);
    unknown.forEach(Peer::close);
    serverListener.close();
    clientListener.close();
  }

  private static final class NoConsole implements Console {
    @Override
    public Console.Session open(Shared shared, String user) {
      return null;
    }

    @Override
    public Map<String, String> parameters() {
      return Map.of();
    }
  }
}
