package io.pgring.protocol.startup;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * StartupMessage, with the rules of PostgreSQL's {@code ProcessStartupPacket}. One thread; good
 * until the bytes are released.
 *
 * <pre>
 *  int32   length
 *  int32   protocol version: major in the upper half, minor in the lower
 *  string  parameter name, not empty }
 *  string  parameter value           } any number of pairs
 *  byte    0
 * </pre>
 *
 * The pairs are read with a cursor: {@code while (startup.next()) ...}.
 */
public final class StartupFlyweight {
  /** The longest packet PostgreSQL accepts before it knows who is talking, in bytes. */
  public static final int MAX_LENGTH = 10_004;

  private static final int PROTOCOL_OFFSET = Integer.BYTES;
  private static final int PARAMETERS_OFFSET = PROTOCOL_OFFSET + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int limit;
  private boolean valid;
  private int nameOffset;
  private int valueOffset;
  private int nextOffset;

  /** Takes the packet of {@code length} bytes whose length field is at {@code offset}. */
  public StartupFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    limit = offset + length;
    valid =
        length <= MAX_LENGTH
            && MessageLayout.isFramedStartup(buffer, offset, length)
            && hasLayout(offset + PARAMETERS_OFFSET);
    rewind();
    return this;
  }

  private boolean hasLayout(int parametersOffset) {
    int next = parametersOffset;
    while (next != MessageLayout.MALFORMED && next < limit && buffer.getByte(next) != 0) {
      int value = MessageLayout.stringEnd(buffer, next, limit);
      next = MessageLayout.stringEnd(buffer, value, limit);
    }
    return next == limit - 1;
  }

  /** Whether the pairs are complete and the terminator is exactly the last byte. */
  public boolean valid() {
    return valid;
  }

  /**
   * The protocol version, for instance 196608 for 3.0. Meaningful for any packet of 8 bytes or
   * more.
   */
  public int protocol() {
    return buffer.getInt(offset + PROTOCOL_OFFSET, BIG_ENDIAN);
  }

  /** Goes back before the first pair. */
  public void rewind() {
    nextOffset = offset + PARAMETERS_OFFSET;
  }

  /** Goes to the next pair; false when there is none. */
  public boolean next() {
    if (!valid || nextOffset == limit - 1) {
      return false;
    }
    nameOffset = nextOffset;
    valueOffset = MessageLayout.stringEnd(buffer, nameOffset, limit);
    nextOffset = MessageLayout.stringEnd(buffer, valueOffset, limit);
    return true;
  }

  public int nameOffset() {
    return nameOffset;
  }

  /** Length of the name in bytes, without its NUL. */
  public int nameLength() {
    return valueOffset - nameOffset - 1;
  }

  public int valueOffset() {
    return valueOffset;
  }

  /** Length of the value in bytes, without its NUL. */
  public int valueLength() {
    return nextOffset - valueOffset - 1;
  }
}
