package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * NotificationResponse. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'A'
 *  int32   length
 *  int32   process ID of the notifying server process
 *  string  channel
 *  string  payload, empty for none
 * </pre>
 */
public final class NotificationResponseFlyweight {
  private static final int PID_OFFSET = HEADER_LENGTH;
  private static final int CHANNEL_OFFSET = PID_OFFSET + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int limit;
  private int payloadOffset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public NotificationResponseFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    limit = offset + length;
    valid =
        length > CHANNEL_OFFSET && MessageLayout.isFramed(buffer, offset, length) && hasLayout();
    return this;
  }

  private boolean hasLayout() {
    payloadOffset = MessageLayout.stringEnd(buffer, channelOffset(), limit);
    return MessageLayout.stringEnd(buffer, payloadOffset, limit) == limit;
  }

  /** Whether all fields are there and nothing follows. */
  public boolean valid() {
    return valid;
  }

  /** Process ID of the server process that notifies. */
  public int pid() {
    return buffer.getInt(offset + PID_OFFSET, BIG_ENDIAN);
  }

  public int channelOffset() {
    return offset + CHANNEL_OFFSET;
  }

  /** Length of the channel's name in bytes, without its NUL. */
  public int channelLength() {
    return payloadOffset - channelOffset() - 1;
  }

  public int payloadOffset() {
    return payloadOffset;
  }

  /** Length of the payload in bytes, without its NUL. */
  public int payloadLength() {
    return limit - payloadOffset - 1;
  }
}
