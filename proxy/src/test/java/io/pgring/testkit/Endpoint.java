package io.pgring.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Something on a TCP port of this machine that speaks to PostgreSQL clients. Any thread. */
public interface Endpoint extends AutoCloseable {
  int port();

  default SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port());
  }

  @Override
  void close();
}
