package io.pgring.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.transport.Channel.ConnectState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SocketStreamTest {
  @TempDir Path directory;

  private ServerSocketChannel server;
  private SocketChannel acceptedSocket;
  private Channel client;
  private Channel accepted;

  @AfterEach
  void close() throws IOException {
    if (client != null) {
      client.close();
    }
    if (accepted != null) {
      accepted.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void movesBytesBothWays(boolean unix) throws IOException {
    connect(unix, SocketOptions.DEFAULTS);

    assertThat(client.isUnix()).isEqualTo(unix);
    assertThat(read(accepted)).isZero();
    assertThat(client.write(bytes(3))).isEqualTo(3);
    assertThat(awaitRead(accepted)).isEqualTo(3);
    assertThat(accepted.write(bytes(5))).isEqualTo(5);
    assertThat(awaitRead(client)).isEqualTo(5);
    assertThat(client.failure()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellsThePeersAddress(boolean unix) throws IOException {
    connect(unix, SocketOptions.DEFAULTS);

    if (unix) {
      assertThat(client.remote()).isEqualTo("unix:" + directory.resolve("s"));
      assertThat(accepted.remote()).isEqualTo("unix:" + directory.resolve("s"));
    } else {
      assertThat(client.remote())
          .isEqualTo("127.0.0.1:" + ((InetSocketAddress) server.getLocalAddress()).getPort());
      assertThat(accepted.remote())
          .isEqualTo(
              "127.0.0.1:" + ((InetSocketAddress) acceptedSocket.getRemoteAddress()).getPort());
    }
  }

  @Test
  void writesIpv6AddressesInBrackets() {
    client =
        SocketStream.connect(new InetSocketAddress("2001:db8::1", 5432), SocketOptions.DEFAULTS);

    assertThat(client.remote()).isEqualTo("[2001:db8:0:0:0:0:0:1]:5432");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOrderlyEndHasNoFailure(boolean unix) throws IOException {
    connect(unix, SocketOptions.DEFAULTS);
    client.close();
    client.close();

    assertThat(awaitRead(accepted)).isEqualTo(Channel.ENDED);
    assertThat(accepted.failure()).isNull();
  }

  @Test
  void aResetIsAValueWithItsReason() throws IOException {
    connect(false, SocketOptions.DEFAULTS);
    client.resetOnClose();
    client.close();

    assertThat(awaitRead(accepted)).isEqualTo(Channel.ENDED);
    assertThat(accepted.failure()).containsIgnoringCase("reset");
    assertThat(read(accepted)).isEqualTo(Channel.ENDED);
    assertThat(accepted.write(bytes(1))).isEqualTo(Channel.ENDED);
    assertThat(accepted.failure()).containsIgnoringCase("reset");
  }

  @Test
  void closingAChannelWithAKeyAndResetResetsToo() throws IOException {
    connect(false, SocketOptions.DEFAULTS);
    try (Selector selector = Selector.open()) {
      client.register(selector, SelectionKey.OP_READ, null);
      client.resetOnClose();
      client.close();
      selector.selectNow();

      assertThat(awaitRead(accepted)).isEqualTo(Channel.ENDED);
      assertThat(accepted.failure()).containsIgnoringCase("reset");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteToAClosedPeerEnds(boolean unix) throws IOException {
    connect(unix, SocketOptions.DEFAULTS);
    client.close();

    int written = accepted.write(bytes(1));
    while (written != Channel.ENDED) {
      written = accepted.write(bytes(1));
    }
    assertThat(accepted.failure()).isNotEmpty();
  }

  @Test
  void aRefusedConnectionFailsWithItsReason() throws IOException {
    ServerSocketChannel gone = ServerSocketChannel.open().bind(loopback());
    SocketAddress address = gone.getLocalAddress();
    gone.close();
    client = SocketStream.connect(address, SocketOptions.DEFAULTS);

    assertThat(awaitConnect(client)).isEqualTo(ConnectState.FAILED);
    assertThat(client.failure()).containsIgnoringCase("refused");
  }

  @Test
  void aMissingUnixSocketFailsWithItsReason() {
    client =
        SocketStream.connect(
            UnixDomainSocketAddress.of(directory.resolve("none")), SocketOptions.DEFAULTS);

    assertThat(client.finishConnect()).isEqualTo(ConnectState.FAILED);
    assertThat(client.failure()).isEqualTo("No such file or directory");
  }

  @Test
  void aFullUnixBacklogFailsInsteadOfPretendingToConnect() throws IOException {
    SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address, 1);
    Channel[] clients = new Channel[8];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = SocketStream.connect(address, SocketOptions.DEFAULTS);
    }

    assertThat(clients[0].finishConnect()).isEqualTo(ConnectState.CONNECTED);
    assertThat(clients[7].finishConnect()).isEqualTo(ConnectState.FAILED);
    assertThat(clients[7].failure()).contains("temporarily unavailable");
    for (Channel each : clients) {
      each.close();
    }
  }

  @Test
  void setsKeepaliveAndNoDelay() throws IOException {
    connect(false, new SocketOptions(true, 61, 7, 5));

    assertThat(acceptedSocket.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
    assertThat(acceptedSocket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
    assertThat(acceptedSocket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(61);
    assertThat(acceptedSocket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)).isEqualTo(7);
    assertThat(acceptedSocket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(5);
  }

  @Test
  void leavesKeepaliveOffWhenAsked() throws IOException {
    connect(false, new SocketOptions(false, 0, 0, 0));

    assertThat(acceptedSocket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readingAndWritingAllocateNothing(boolean unix) throws IOException {
    connect(unix, SocketOptions.DEFAULTS);
    ByteBuffer out = bytes(64);
    ByteBuffer in = ByteBuffer.allocateDirect(64);
    pump(out, in, 20_000);

    long before = allocatedBytes();
    pump(out, in, 20_000);
    long grown = allocatedBytes() - before;

    assertThat(grown).isLessThan(4096);
  }

  private void pump(ByteBuffer out, ByteBuffer in, int rounds) {
    for (int i = 0; i < rounds; i++) {
      out.clear();
      client.write(out);
      in.clear();
      while (in.hasRemaining()) {
        accepted.read(in);
      }
      accepted.read(in.clear());
    }
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  private void connect(boolean unix, SocketOptions options) throws IOException {
    server =
        unix
            ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(directory.resolve("s")))
            : ServerSocketChannel.open().bind(loopback());
    client = SocketStream.connect(server.getLocalAddress(), options);
    acceptedSocket = server.accept();
    accepted = SocketStream.accepted(acceptedSocket, server.getLocalAddress(), options);
    assertThat(awaitConnect(client)).isEqualTo(ConnectState.CONNECTED);
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress("127.0.0.1", 0);
  }

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocateDirect(length);
  }

  private static int read(Channel channel) {
    return channel.read(bytes(64));
  }

  private static int awaitRead(Channel channel) {
    int count = read(channel);
    while (count == 0) {
      Thread.onSpinWait();
      count = read(channel);
    }
    return count;
  }

  private static ConnectState awaitConnect(Channel channel) {
    ConnectState state = channel.finishConnect();
    while (state == ConnectState.PENDING) {
      Thread.onSpinWait();
      state = channel.finishConnect();
    }
    return state;
  }
}
