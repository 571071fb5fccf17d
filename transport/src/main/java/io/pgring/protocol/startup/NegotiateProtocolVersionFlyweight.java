package io.pgring.protocol.startup;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * NegotiateProtocolVersion. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'v'
 *  int32   length
 *  int32   newest version the server speaks, major and minor
 *  int32   number of options the server does not know
 *  string  option, as many times
 * </pre>
 *
 * The options are read with a cursor: {@code while (negotiation.next()) ...}.
 */
public final class NegotiateProtocolVersionFlyweight {
  private static final int VERSION_OFFSET = HEADER_LENGTH;
  private static final int COUNT_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int OPTIONS_OFFSET = COUNT_OFFSET + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int limit;
  private boolean valid;
  private int optionOffset;
  private int nextOffset;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public NegotiateProtocolVersionFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    limit = offset + length;
    valid =
        length >= OPTIONS_OFFSET && MessageLayout.isFramed(buffer, offset, length) && hasLayout();
    optionOffset = offset + OPTIONS_OFFSET;
    nextOffset = optionOffset;
    return this;
  }

  private boolean hasLayout() {
    int count = optionCount();
    int end = offset + OPTIONS_OFFSET;
    for (int i = 0; i < count && end != MessageLayout.MALFORMED; i++) {
      end = MessageLayout.stringEnd(buffer, end, limit);
    }
    return count >= 0 && end == limit;
  }

  /** Whether the options are as many as announced and nothing follows. */
  public boolean valid() {
    return valid;
  }

  /**
   * The newest version the server speaks, for instance 196608 for 3.0. PostgreSQL sends the whole
   * version, although its documentation speaks of the minor one.
   */
  public int newestProtocol() {
    return buffer.getInt(offset + VERSION_OFFSET, BIG_ENDIAN);
  }

  public int optionCount() {
    return buffer.getInt(offset + COUNT_OFFSET, BIG_ENDIAN);
  }

  /** Goes to the next option; false when there is none. */
  public boolean next() {
    if (!valid || nextOffset == limit) {
      return false;
    }
    optionOffset = nextOffset;
    nextOffset = MessageLayout.stringEnd(buffer, optionOffset, limit);
    return true;
  }

  public int optionOffset() {
    return optionOffset;
  }

  /** Length of the option's name in bytes, without its NUL. */
  public int optionLength() {
    return nextOffset - optionOffset - 1;
  }
}
