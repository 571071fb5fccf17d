package io.pgring.transport;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A {@link Channel} over a plain TCP or Unix socket. This is the one place where socket exceptions
 * become values.
 */
public final class SocketStream implements Channel {
  private final SocketChannel socket;
  private final boolean unix;
  private final String remote;
  private String failure;

  private SocketStream(SocketChannel socket, boolean unix, String remote, String failure) {
    this.socket = socket;
    this.unix = unix;
    this.remote = remote;
    this.failure = failure;
  }

  /**
   * Takes over a socket that a listener accepted.
   *
   * @param listeningOn address of the listener, which stands for the peer's on Unix sockets, where
   *     clients have none
   * @throws IOException when the peer is gone already; the socket is closed then
   */
  public static Channel accepted(
      SocketChannel socket, SocketAddress listeningOn, SocketOptions options) throws IOException {
    try {
      boolean unix = listeningOn instanceof UnixDomainSocketAddress;
      socket.configureBlocking(false);
      if (!unix) {
        options.applyTo(socket);
      }
      String remote = text(unix ? listeningOn : socket.getRemoteAddress());
      return new SocketStream(socket, unix, remote, null);
    } catch (IOException e) {
      closeQuietly(socket);
      throw e;
    }
  }

  /**
   * Starts to connect and never blocks. A connection that is refused at once, or for which there is
   * no descriptor, is told by {@link #finishConnect()}.
   */
  public static Channel connect(SocketAddress address, SocketOptions options) {
    boolean unix = address instanceof UnixDomainSocketAddress;
    SocketChannel socket = null;
    String failure = null;
    try {
      socket = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
      socket.configureBlocking(false);
      if (!unix) {
        options.applyTo(socket);
      }
      socket.connect(address);
    } catch (IOException e) {
      failure = reason(e);
    }
    return new SocketStream(socket, unix, text(address), failure);
  }

  @Override
  public int read(ByteBuffer destination) {
    assert destination.isDirect() : "a heap buffer is copied through a hidden direct one";
    try {
      return socket.read(destination);
    } catch (IOException e) {
      return fail(e);
    }
  }

  @Override
  public int write(ByteBuffer source) {
    assert source.isDirect() : "a heap buffer is copied through a hidden direct one";
    try {
      return socket.write(source);
    } catch (IOException e) {
      return fail(e);
    }
  }

  @Override
  public SelectionKey register(Selector selector, int ops, Object attachment) {
    try {
      return socket.register(selector, ops, attachment);
    } catch (ClosedChannelException e) {
      throw new IllegalStateException("registering a closed channel: " + remote, e);
    }
  }

  @Override
  public ConnectState finishConnect() {
    if (failure != null) {
      return ConnectState.FAILED;
    }
    try {
      if (!socket.finishConnect()) {
        return ConnectState.PENDING;
      }
      // A TCP socket can meet itself when the kernel picks the very port it connects to, on this
      // machine, with no server there.
      if (!unix && socket.getLocalAddress().equals(socket.getRemoteAddress())) {
        failure = "Connected to itself";
        return ConnectState.FAILED;
      }
      return ConnectState.CONNECTED;
    } catch (IOException e) {
      failure = reason(e);
      return ConnectState.FAILED;
    }
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public boolean isUnix() {
    return unix;
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  public String local() {
    try {
      SocketAddress address = socket.getLocalAddress();
      return address == null ? "" : text(address);
    } catch (IOException closed) {
      return "";
    }
  }

  @Override
  public void resetOnClose() {
    if (unix) {
      return;
    }
    try {
      socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      fail(e);
    }
  }

  @Override
  public void close() {
    if (socket != null) {
      closeQuietly(socket);
    }
  }

  @Override
  public String toString() {
    return remote;
  }

  private int fail(IOException e) {
    if (failure == null) {
      failure = reason(e);
    }
    return ENDED;
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static void closeQuietly(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The descriptor is gone either way, and nobody can act on it.
    }
  }

  private static String text(SocketAddress address) {
    if (address instanceof InetSocketAddress inet) {
      String host = inet.isUnresolved() ? inet.getHostString() : inet.getAddress().getHostAddress();
      return inet.getAddress() instanceof Inet6Address
          ? "[" + host + "]:" + inet.getPort()
          : host + ":" + inet.getPort();
    }
    return "unix:" + address;
  }
}
