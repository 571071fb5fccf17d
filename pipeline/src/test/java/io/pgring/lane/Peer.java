package io.pgring.lane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * The test's end of a socket, read and written without ever blocking, since the lane at its other
 * end runs on the same thread.
 */
final class Peer {
  private static final int READ_BYTES = 256 * 1024;
  private static final int SEND_BYTES = 64 * 1024;

  private final SocketChannel socket;
  private final MessageText messageText;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(READ_BYTES);
  private byte[] received = new byte[READ_BYTES];
  private int receivedFrom;
  private int receivedTo;
  private boolean ended;
  private boolean paused;

  /** How messages that arrive here are written as text. */
  interface MessageText {
    String of(byte[] bytes, int offset, int length);
  }

  Peer(SocketChannel socket, MessageText messageText) {
    this.socket = socket;
    this.messageText = messageText;
    io(s -> s.configureBlocking(false));
  }

  private interface Action<T> {
    T on(SocketChannel socket) throws IOException;
  }

  private <T> T io(Action<T> action) {
    try {
      return action.on(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends what must fit into the kernel's buffers. */
  Peer send(byte[]... messages) {
    ByteBuffer bytes = ByteBuffer.wrap(Wire.join(messages));
    sendSome(bytes);
    if (bytes.hasRemaining()) {
      throw new AssertionError("the socket does not take " + bytes.remaining() + " bytes");
    }
    return this;
  }

  /** Sends what the socket takes. */
  int sendSome(ByteBuffer bytes) {
    int sent = 0;
    int end = bytes.limit();
    int written;
    do {
      // In pieces, since each call copies all that it is given.
      bytes.limit(Math.min(end, bytes.position() + SEND_BYTES));
      written = io(s -> s.write(bytes));
      sent += written;
      bytes.limit(end);
    } while (written > 0 && bytes.hasRemaining());
    return sent;
  }

  /** Takes what has arrived. */
  void receive() {
    while (!ended && !paused) {
      chunk.clear();
      int read;
      try {
        read = socket.read(chunk);
      } catch (IOException e) {
        read = -1;
      }
      if (read < 0) {
        ended = true;
      } else if (read == 0) {
        return;
      } else {
        chunk.flip();
        if (receivedTo + read > received.length) {
          received = Arrays.copyOf(received, 2 * (receivedTo + read));
        }
        chunk.get(received, receivedTo, read);
        receivedTo += read;
      }
    }
  }

  /** Leaves what arrives to the kernel, which will take no more at some point. */
  void pauseReceiving(boolean pause) {
    paused = pause;
  }

  /** True when the other end has closed. */
  boolean isEnded() {
    return ended;
  }

  /** Bytes received and not yet taken. */
  int receivedBytes() {
    return receivedTo - receivedFrom;
  }

  /** Takes all bytes. */
  byte[] takeBytes() {
    byte[] bytes = Arrays.copyOfRange(received, receivedFrom, receivedTo);
    receivedFrom = receivedTo;
    return bytes;
  }

  /** Takes the complete messages as text, separated by blanks; empty when there is none. */
  String take() {
    StringBuilder text = new StringBuilder();
    int length;
    while ((length = Wire.messageBytes(received, receivedFrom, receivedTo)) > 0) {
      text.append(text.length() == 0 ? "" : " ");
      text.append(messageText.of(received, receivedFrom, length));
      receivedFrom += length;
    }
    return text.toString();
  }

  /** Takes a startup packet or cancel request, which has no type; null when it is not complete. */
  byte[] takePacket() {
    if (receivedBytes() < 4) {
      return null;
    }
    int length = ByteBuffer.wrap(received).getInt(receivedFrom);
    if (receivedBytes() < length) {
      return null;
    }
    receivedFrom += length;
    return Arrays.copyOfRange(received, receivedFrom - length, receivedFrom);
  }

  void close() {
    io(
        s -> {
          s.close();
          return null;
        });
  }
}
