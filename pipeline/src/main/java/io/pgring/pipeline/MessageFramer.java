package io.pgring.pipeline;

import io.pgring.protocol.FrontendMessage;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Finds message boundaries in what a client sent and publishes complete frames; messages above
 * {@link #MAX_WHOLE_BYTES} leave as fragments while they arrive. Runs on the selector agent's
 * thread; keeps its state in the {@link ClientConnection}.
 *
 * @see <a href="https://www.postgresql.org/docs/current/protocol-message-formats.html">Message
 *     Formats</a>
 */
final class MessageFramer {
  /** State: the next bytes are an untyped startup packet. */
  static final byte STARTUP = 0;

  /** State: the next bytes are a typed message, or the rest of one. */
  static final byte TYPED = 1;

  /** State: nothing more is taken from this client. */
  static final byte ENDED = 2;

  /** Longest message, header included, that travels as one frame. */
  static final int MAX_WHOLE_BYTES = 64 * 1024;

  /**
   * A first fragment waits for this many bytes, so that the names at the head of Parse and Bind are
   * in it.
   */
  static final int MIN_FIRST_FRAGMENT_BYTES = 8 * 1024;

  private static final int HEADER_BYTES = 5;
  private static final int MIN_STARTUP_BYTES = 8;

  // Limits of PostgreSQL's SocketBackend: 10,000 bytes for messages that are short by nature.
  private static final int SMALL_MESSAGE_BYTES = 10_000;

  private final FrameRing ring;
  private final SelectorAgent.RingFull ringFull;
  private final int maxStartupBytes;
  private final int[] maxBodyBytes = new int[256];

  MessageFramer(
      FrameRing ring, SelectorAgent.RingFull ringFull, int maxStartupBytes, int maxMessageBytes) {
    this.ring = ring;
    this.ringFull = ringFull;
    this.maxStartupBytes = maxStartupBytes;
    for (byte type : new byte[] {'Q', 'P', 'B', 'F', 'd', 'p'}) {
      maxBodyBytes[type] = maxMessageBytes;
    }
    for (byte type : new byte[] {'C', 'D', 'E', 'H', 'S', 'X', 'c', 'f'}) {
      maxBodyBytes[type] = SMALL_MESSAGE_BYTES;
    }
  }

  /**
   * Publishes what is complete in {@code [offset, offset + length)}.
   *
   * @return bytes consumed; the rest is an incomplete message, or could not be published because
   *     the ring is full
   */
  int frame(ClientConnection client, DirectBuffer buffer, int offset, int length) {
    int position = offset;
    int end = offset + length;
    while (position < end && !client.closed) {
      int consumed =
          client.framing == TYPED
              ? frameTyped(client, buffer, position, end)
              : client.framing == STARTUP
                  ? frameStartup(client, buffer, position, end)
                  : end - position;
      if (consumed == 0) {
        break;
      }
      position += consumed;
    }
    return client.closed ? length : position - offset;
  }

  private int frameTyped(ClientConnection client, DirectBuffer buffer, int position, int end) {
    if (client.fragmentRemaining > 0) {
      return frameFragment(client, buffer, position, end);
    }
    byte type = buffer.getByte(position);
    int limit = maxBodyBytes[type & 0xff];
    if (limit == 0) {
      return unframeable(client, type & 0xff, end - position);
    }
    if (end - position < HEADER_BYTES) {
      return 0;
    }
    int bodyBytes = buffer.getInt(position + 1, ByteOrder.BIG_ENDIAN);
    if (bodyBytes < 4
        || bodyBytes > (client.isAuthenticated() ? limit : Math.min(limit, maxStartupBytes))) {
      return unframeable(client, FramingError.BAD_LENGTH, end - position);
    }
    int messageBytes = bodyBytes + 1;
    if (messageBytes > MAX_WHOLE_BYTES) {
      return frameFirstFragment(client, type, messageBytes, buffer, position, end);
    }
    if (end - position < messageBytes
        || !publish(client, type, FrameEvent.WHOLE, buffer, position, messageBytes, messageBytes)) {
      return 0;
    }
    return messageBytes;
  }

  private int frameFirstFragment(
      ClientConnection client,
      byte type,
      int messageBytes,
      DirectBuffer buffer,
      int position,
      int end) {
    int length = Math.min(end - position, MAX_WHOLE_BYTES);
    if (length < MIN_FIRST_FRAGMENT_BYTES
        || !publish(client, type, FrameEvent.FIRST, buffer, position, length, messageBytes)) {
      return 0;
    }
    client.fragmentType = type;
    client.fragmentMessageLength = messageBytes;
    client.fragmentRemaining = messageBytes - length;
    return length;
  }

  private int frameFragment(ClientConnection client, DirectBuffer buffer, int position, int end) {
    int length = Math.min(Math.min(end - position, client.fragmentRemaining), MAX_WHOLE_BYTES);
    byte part = length == client.fragmentRemaining ? FrameEvent.LAST : FrameEvent.MORE;
    if (!publish(
        client,
        client.fragmentType,
        part,
        buffer,
        position,
        length,
        client.fragmentMessageLength)) {
      return 0;
    }
    client.fragmentRemaining -= length;
    return length;
  }

  private int frameStartup(ClientConnection client, DirectBuffer buffer, int position, int end) {
    if (end - position < 4) {
      return 0;
    }
    int packetBytes = buffer.getInt(position, ByteOrder.BIG_ENDIAN);
    if (packetBytes < MIN_STARTUP_BYTES || packetBytes > maxStartupBytes) {
      return unframeable(client, FramingError.BAD_LENGTH, end - position);
    }
    if (end - position < packetBytes) {
      return 0;
    }
    int code = buffer.getInt(position + 4, ByteOrder.BIG_ENDIAN);
    byte type = FrontendMessage.STARTUP;
    if (!publish(client, type, FrameEvent.WHOLE, buffer, position, packetBytes, packetBytes)) {
      return 0;
    }
    if (code == FrontendMessage.CANCEL_REQUEST) {
      client.framing = ENDED;
    } else if (code != FrontendMessage.SSL_REQUEST && code != FrontendMessage.GSSENC_REQUEST) {
      client.framing = TYPED;
    }
    return packetBytes;
  }

  private int unframeable(ClientConnection client, int detail, int rest) {
    if (!notice(client, FrameEvent.UNFRAMEABLE, detail)) {
      return 0;
    }
    client.framing = ENDED;
    return rest;
  }

  /** True while the ring is full, and trying again is of no use. */
  boolean isStalled() {
    return ring.isStalled();
  }

  /** True when a notice can be published now. */
  boolean hasRoom() {
    return ring.hasRoom() || (ringFull.makeRoom() && ring.hasRoom());
  }

  /** Publishes a notice in the order of the client's frames; false when the ring is full. */
  boolean notice(ClientConnection client, byte type, int detail) {
    boolean published =
        ring.publishNotice(client, type, detail)
            || (ringFull.makeRoom() && !client.closed && ring.publishNotice(client, type, detail));
    client.blockedOnRing = !published;
    return published;
  }

  private boolean publish(
      ClientConnection client,
      byte type,
      byte part,
      DirectBuffer buffer,
      int offset,
      int length,
      int messageLength) {
    if (!ring.publish(client, type, part, buffer, offset, length, messageLength)
        && (!ringFull.makeRoom()
            || client.closed
            || !ring.publish(client, type, part, buffer, offset, length, messageLength))) {
      client.blockedOnRing = true;
      return false;
    }
    client.published(length);
    return true;
  }
}
