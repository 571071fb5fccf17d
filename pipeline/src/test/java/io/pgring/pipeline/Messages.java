package io.pgring.pipeline;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Frontend messages as bytes, right and wrong ones. */
final class Messages {
  private Messages() {}

  /** A typed message with a body of this many bytes, which count up from {@code first}. */
  static byte[] message(char type, int bodyBytes, int first) {
    byte[] message = header(type, bodyBytes + 4, bodyBytes);
    for (int i = 0; i < bodyBytes; i++) {
      message[5 + i] = (byte) (first + i);
    }
    return message;
  }

  /**
   * A message that announces a length of its own choice, with {@code bodyBytes} zeros behind it.
   */
  static byte[] header(char type, int announcedBytes, int bodyBytes) {
    return ByteBuffer.allocate(5 + bodyBytes).put((byte) type).putInt(announcedBytes).array();
  }

  /** A startup packet of protocol 3.0 without parameters. */
  static byte[] startup() {
    return packet(9, 196_608, 1);
  }

  /** An untyped packet that announces a length of its own choice. */
  static byte[] packet(int announcedBytes, int code, int bodyBytes) {
    return ByteBuffer.allocate(8 + bodyBytes).putInt(announcedBytes).putInt(code).array();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
