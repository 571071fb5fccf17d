package io.pgring.transport.accept;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * A file descriptor held in reserve, to be given up for the moment in which a client must be
 * refused for want of descriptors. Confined to the acceptor's thread.
 */
final class SpareDescriptor {
  private SocketChannel unconnected;

  SpareDescriptor() {
    acquire();
  }

  /**
   * Takes a descriptor back into reserve. Without a free one the reserve stays empty until the next
   * call.
   */
  void acquire() {
    if (unconnected != null) {
      return;
    }
    try {
      unconnected = SocketChannel.open();
    } catch (IOException e) {
      unconnected = null;
    }
  }

  /** Frees the descriptor; false when there was none in reserve. */
  boolean release() {
    if (unconnected == null) {
      return false;
    }
    try {
      unconnected.close();
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      unconnected = null;
    }
  }
}
