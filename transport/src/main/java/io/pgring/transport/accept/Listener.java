package io.pgring.transport.accept;

import io.pgring.transport.Address;
import io.pgring.transport.Channel;
import io.pgring.transport.SocketStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * One listening TCP or Unix socket. Opened by the starting thread, so that a bad address stops the
 * start, then confined to the acceptor's thread until closed.
 */
public final class Listener implements AutoCloseable {
  private static final String ANY_HOST = "*";

  private final Address address;
  private final ServerSocketChannel socket;
  private final UnixSocketFile file;
  private final ListenOptions options;
  private final SocketAddress boundAddress;
  private String failure;

  private Listener(
      Address address, ServerSocketChannel socket, UnixSocketFile file, ListenOptions options)
      throws IOException {
    this.address = address;
    this.socket = socket;
    this.file = file;
    this.options = options;
    this.boundAddress = socket.getLocalAddress();
  }

  /**
   * Binds and listens. A host name means its first address, {@code *} every address of both
   * families, and {@code [::]} includes IPv4 because Java cannot set IPV6_V6ONLY. For a Unix socket
   * the missing directory is created, and a file that a dead process left behind is removed.
   *
   * @throws IOException with a sentence for the operator that names the address
   */
  public static Listener open(Address address, ListenOptions options) throws IOException {
    try {
      return address.isUnix() ? openUnix(address, options) : openTcp(address, options);
    } catch (UnknownHostException e) {
      throw new IOException("cannot listen on " + address + ": the host name is unknown", e);
    } catch (IOException e) {
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
  }

  /** Address as it was configured. */
  public Address address() {
    return address;
  }

  /** Address that clients connect to, with the real port where the configured one was 0. */
  public SocketAddress boundAddress() {
    return boundAddress;
  }

  /**
   * Accepts one connection.
   *
   * @return null when nobody waits, or when the process has no means to accept; {@link #failure()}
   *     tells which
   */
  public Channel accept() {
    failure = null;
    try {
      SocketChannel accepted = socket.accept();
      while (accepted != null) {
        Channel channel = adopt(accepted);
        if (channel != null) {
          return channel;
        }
        accepted = socket.accept();
      }
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    }
    return null;
  }

  /**
   * Why the last {@link #accept()} could not accept, such as "Too many open files"; null when it
   * could, or when nobody waited. The connection stays in the backlog and keeps the socket
   * readable: wait or free a descriptor, do not simply try again.
   */
  public String failure() {
    return failure;
  }

  /**
   * Stops listening; connections not yet accepted are reset. Removes the socket file if it is still
   * this listener's.
   */
  @Override
  public void close() throws IOException {
    if (!socket.isOpen()) {
      return;
    }
    try {
      if (file != null) {
        file.remove();
      }
    } finally {
      socket.close();
    }
  }

  /** The socket for a selector's OP_ACCEPT. */
  SelectableChannel channel() {
    return socket;
  }

  private Channel adopt(SocketChannel accepted) {
    try {
      return SocketStream.accepted(accepted, boundAddress, options.accepted());
    } catch (IOException e) {
      // Gone before it was welcomed, which is the client's affair and leaves the next one
      // untouched.
      return null;
    }
  }

  private static Listener openTcp(Address address, ListenOptions options) throws IOException {
    InetSocketAddress local = local(address);
    // Java's own default would turn 0.0.0.0 into the wildcard of both families.
    boolean onlyIpv4 =
        !ANY_HOST.equals(address.host()) && local.getAddress() instanceof Inet4Address;
    ServerSocketChannel socket =
        onlyIpv4
            ? ServerSocketChannel.open(StandardProtocolFamily.INET)
            : ServerSocketChannel.open();
    try {
      socket.configureBlocking(false);
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      socket.bind(local, options.backlog());
      return new Listener(address, socket, null, options);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static InetSocketAddress local(Address address) throws UnknownHostException {
    return ANY_HOST.equals(address.host())
        ? new InetSocketAddress(address.port())
        : new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
  }

  private static Listener openUnix(Address address, ListenOptions options) throws IOException {
    UnixSocketFile file = new UnixSocketFile(address.path());
    file.clear();
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      socket.configureBlocking(false);
      socket.bind(file.address(), options.backlog());
      file.protect(options.unixMode(), options.unixGroup());
      return new Listener(address, socket, file, options);
    } catch (IOException e) {
      file.remove();
      socket.close();
      throw e;
    }
  }
}
