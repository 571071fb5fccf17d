package io.pgring.bench.wire;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Finds messages in what one connection delivers, and objects to anything that cannot be one. Grows
 * with the largest message; used by one thread.
 */
final class ReplyReader {
  private static final int HEADER_BYTES = 1 + Integer.BYTES;
  private static final int FIRST_CAPACITY_BYTES = 2_048;
  private static final int MAX_LENGTH = 1 << 26;

  private ByteBuffer received = ByteBuffer.allocate(FIRST_CAPACITY_BYTES).flip();

  /**
   * Reads once.
   *
   * @return what the channel returned: bytes, or -1 at its end
   */
  int readFrom(ReadableByteChannel channel) throws IOException {
    makeRoom();
    try {
      return channel.read(received);
    } finally {
      received.flip();
    }
  }

  /**
   * @return the next message, or null when it is not complete
   * @throws BenchFailure when this cannot be a message of protocol 3
   */
  Reply next() {
    if (received.remaining() < HEADER_BYTES) {
      return null;
    }
    char type = (char) (received.get(received.position()) & 0xff);
    int length = received.getInt(received.position() + 1);
    if (!Reply.knownType(type) || length < Integer.BYTES || length > MAX_LENGTH) {
      throw new BenchFailure("not a message: type " + (int) type + ", length " + length);
    }
    if (received.remaining() < 1 + length) {
      return null;
    }
    byte[] body = new byte[length - Integer.BYTES];
    received.position(received.position() + HEADER_BYTES);
    received.get(body);
    return new Reply(type, body);
  }

  private void makeRoom() {
    received.compact();
    if (!received.hasRemaining()) {
      received = ByteBuffer.allocate(2 * received.capacity()).put(received.flip());
    }
  }
}
