package io.pgring.bench.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What one client sent on one connection, message by message. Immutable; the arrays are not to be
 * changed.
 *
 * @param login up to the last message of the authentication
 * @param session all that came after it; empty for a request to cancel
 */
record Conversation(List<byte[]> login, List<byte[]> session) {
  private static final int HEADER_BYTES = 1 + Integer.BYTES;

  /** Length of SSLRequest and GSSENCRequest, which are answered by a single byte. */
  private static final int NEGOTIATION_BYTES = 8;

  private static final byte PASSWORD = 'p';

  /** Splits recorded bytes into messages; an incomplete one at the end is left out. */
  static Conversation of(byte[] recorded) {
    ByteBuffer bytes = ByteBuffer.wrap(recorded);
    List<byte[]> login = new ArrayList<>();
    boolean negotiated;
    do {
      byte[] message = take(bytes, bytes.getInt(bytes.position()));
      negotiated = message.length == NEGOTIATION_BYTES;
      login.add(message);
    } while (negotiated && bytes.remaining() > HEADER_BYTES);
    List<byte[]> session = new ArrayList<>();
    while (bytes.remaining() >= HEADER_BYTES
        && bytes.remaining() > bytes.getInt(bytes.position() + 1)) {
      byte[] message = take(bytes, 1 + bytes.getInt(bytes.position() + 1));
      (message[0] == PASSWORD ? login : session).add(message);
    }
    return new Conversation(List.copyOf(login), List.copyOf(session));
  }

  /** Whether it begins with a request whose answer is no message. */
  boolean negotiates() {
    return login.get(0).length == NEGOTIATION_BYTES;
  }

  /** All messages in their order. */
  List<byte[]> all() {
    List<byte[]> all = new ArrayList<>(login);
    all.addAll(session);
    return all;
  }

  private static byte[] take(ByteBuffer bytes, int length) {
    byte[] message = new byte[length];
    bytes.get(message);
    return message;
  }
}
