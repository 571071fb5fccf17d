package io.pgring.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.Consumer;

/** Finds free ports of the loopback interface. Stateless. */
final class Ports {
  private static final int ATTEMPTS = 100;

  private Ports() {}

  /**
   * The first free port from the preferred one on; any free one if none is preferred.
   *
   * @param preferred 0: none
   * @param notice told when the preferred one is taken
   * @throws IOException when a hundred ports in a row are taken
   */
  static int freeFrom(int preferred, Consumer<String> notice) throws IOException {
    if (preferred == 0) {
      try (ServerSocket socket = bind(0)) {
        return socket.getLocalPort();
      }
    }
    for (int port = preferred; port < preferred + ATTEMPTS; port++) {
      if (isFree(port)) {
        if (port != preferred) {
          notice.accept("port " + preferred + " is taken; using " + port);
        }
        return port;
      }
    }
    throw new IOException(
        "no port from " + preferred + " to " + (preferred + ATTEMPTS - 1) + " is free");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = bind(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket bind(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
