package io.pgring.protocol;

import static java.nio.ByteOrder.BIG_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * The pieces that message layouts are made of, checked against the end of the message. Stateless;
 * any thread.
 *
 * <p>Each {@code *End} method takes where a piece starts and answers where the next one starts, or
 * {@link #MALFORMED} when the piece does not fit before {@code limit}. A start of {@link
 * #MALFORMED} answers {@link #MALFORMED}, so that a layout is a chain of calls with one check at
 * its end.
 */
public final class MessageLayout {
  /** Type byte and length field, in bytes. */
  public static final int HEADER_LENGTH = 5;

  /** Answered where the message ends before the piece does. */
  public static final int MALFORMED = -1;

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private MessageLayout() {}

  /**
   * Whether a typed message lies inside the buffer and its length field agrees with {@code length},
   * which counts the type byte and the length field.
   */
  public static boolean isFramed(DirectBuffer buffer, int offset, int length) {
    return length >= HEADER_LENGTH
        && isInside(buffer, offset, length)
        && buffer.getInt(offset + 1, BIG_ENDIAN) == length - 1;
  }

  /** The same for a startup packet, which begins with its length field and a request code. */
  public static boolean isFramedStartup(DirectBuffer buffer, int offset, int length) {
    return length >= 2 * Integer.BYTES
        && isInside(buffer, offset, length)
        && buffer.getInt(offset, BIG_ENDIAN) == length;
  }

  private static boolean isInside(DirectBuffer buffer, int offset, int length) {
    return offset >= 0 && length <= buffer.capacity() - offset;
  }

  /** Where the string that starts at {@code offset} is over, its NUL included. */
  public static int stringEnd(DirectBuffer buffer, int offset, int limit) {
    if (offset == MALFORMED) {
      return MALFORMED;
    }
    int index = offset;
    // Whether any of eight bytes is zero does not depend on their order.
    while (limit - index >= Long.BYTES && !hasZeroByte(buffer.getLong(index))) {
      index += Long.BYTES;
    }
    while (index < limit) {
      if (buffer.getByte(index++) == 0) {
        return index;
      }
    }
    return MALFORMED;
  }

  private static boolean hasZeroByte(long eightBytes) {
    return ((eightBytes - LOW_BITS) & ~eightBytes & HIGH_BITS) != 0;
  }

  /** Where a field of {@code length} bytes is over. */
  public static int fieldEnd(int offset, int length, int limit) {
    return offset == MALFORMED || limit - offset < length ? MALFORMED : offset + length;
  }

  /**
   * Where an array of fixed-length elements is over; its unsigned Int16 count is at {@code offset}.
   */
  public static int arrayEnd(DirectBuffer buffer, int offset, int elementLength, int limit) {
    int elements = fieldEnd(offset, Short.BYTES, limit);
    return elements == MALFORMED
        ? MALFORMED
        : fieldEnd(elements, count(buffer, offset) * elementLength, limit);
  }

  /**
   * Where a value is over: an Int32 length, -1 for NULL, and as many bytes. PostgreSQL takes any
   * other negative length for a violation of the protocol.
   */
  public static int valueEnd(DirectBuffer buffer, int offset, int limit) {
    int bytes = fieldEnd(offset, Integer.BYTES, limit);
    if (bytes == MALFORMED) {
      return MALFORMED;
    }
    int length = buffer.getInt(offset, BIG_ENDIAN);
    return length < -1 ? MALFORMED : fieldEnd(bytes, Math.max(length, 0), limit);
  }

  /** The Int16 count at {@code offset}. PostgreSQL reads counts as unsigned: 0 to 65,535. */
  public static int count(DirectBuffer buffer, int offset) {
    return buffer.getShort(offset, BIG_ENDIAN) & 0xFFFF;
  }

  /** Whether the format codes counted at {@code offset} are none, one, or one for each value. */
  public static boolean formatsSuit(DirectBuffer buffer, int offset, int valueCount) {
    int formatCount = count(buffer, offset);
    return formatCount <= 1 || formatCount == valueCount;
  }

  /**
   * The format of value {@code index} by the codes counted at {@code offset}: no code means text,
   * one is for all.
   */
  public static int format(DirectBuffer buffer, int offset, int index) {
    int formatCount = count(buffer, offset);
    if (formatCount == 0) {
      return 0;
    }
    int position = formatCount == 1 ? 0 : index;
    return buffer.getShort(offset + Short.BYTES * (1 + position), BIG_ENDIAN);
  }
}
