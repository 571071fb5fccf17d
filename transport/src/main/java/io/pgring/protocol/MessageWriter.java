package io.pgring.protocol;

import static java.nio.ByteOrder.BIG_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * What both encoders write with. Each {@code put} answers the index after what it wrote. Stateless;
 * any thread.
 *
 * <p>Strings are written as UTF-8 without an intermediate array. What cannot be said in a
 * NUL-terminated UTF-8 string - NUL itself and half a surrogate pair - becomes a question mark, so
 * that no text can end a field early.
 */
final class MessageWriter {
  private static final byte REPLACEMENT = '?';

  private MessageWriter() {}

  /** Starts a typed message and answers the index of its body; {@link #end} fills in the length. */
  static int begin(MutableDirectBuffer buffer, int offset, byte type) {
    buffer.putByte(offset, type);
    return offset + MessageLayout.HEADER_LENGTH;
  }

  /**
   * Fills in the length of the typed message that ends at {@code end}, and answers its length in
   * bytes.
   */
  static int end(MutableDirectBuffer buffer, int offset, int end) {
    buffer.putInt(offset + 1, end - offset - 1, BIG_ENDIAN);
    return end - offset;
  }

  /** Writes a message without a body, and answers its length in bytes. */
  static int empty(MutableDirectBuffer buffer, int offset, byte type) {
    return end(buffer, offset, begin(buffer, offset, type));
  }

  /** Writes a message whose body is one string, and answers its length in bytes. */
  static int text(MutableDirectBuffer buffer, int offset, byte type, String text) {
    return end(buffer, offset, putString(buffer, begin(buffer, offset, type), text));
  }

  static int putByte(MutableDirectBuffer buffer, int index, byte value) {
    buffer.putByte(index, value);
    return index + Byte.BYTES;
  }

  static int putShort(MutableDirectBuffer buffer, int index, int value) {
    buffer.putShort(index, (short) value, BIG_ENDIAN);
    return index + Short.BYTES;
  }

  static int putInt(MutableDirectBuffer buffer, int index, int value) {
    buffer.putInt(index, value, BIG_ENDIAN);
    return index + Integer.BYTES;
  }

  static int putBytes(MutableDirectBuffer buffer, int index, byte[] bytes) {
    buffer.putBytes(index, bytes);
    return index + bytes.length;
  }

  /** Writes bytes that contain no NUL, and a NUL. */
  static int putString(MutableDirectBuffer buffer, int index, byte[] text) {
    return putByte(buffer, putBytes(buffer, index, text), (byte) 0);
  }

  static int putString(MutableDirectBuffer buffer, int index, String text) {
    return putByte(buffer, putUtf8(buffer, index, text), (byte) 0);
  }

  /** Writes an Int32 length and the text, or -1 for {@code null}. */
  static int putValue(MutableDirectBuffer buffer, int index, String valueOrNull) {
    if (valueOrNull == null) {
      return putInt(buffer, index, -1);
    }
    int end = putUtf8(buffer, index + Integer.BYTES, valueOrNull);
    putInt(buffer, index, end - index - Integer.BYTES);
    return end;
  }

  /** Writes an Int16 count and as many type OIDs. */
  static int putOids(MutableDirectBuffer buffer, int index, int[] typeOids) {
    int next = putShort(buffer, index, typeOids.length);
    for (int typeOid : typeOids) {
      next = putInt(buffer, next, typeOid);
    }
    return next;
  }

  private static int putUtf8(MutableDirectBuffer buffer, int index, String text) {
    int next = index;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit != 0 && unit < 0x80) {
        buffer.putByte(next++, (byte) unit);
      } else {
        int codePoint = text.codePointAt(i);
        next = putCodePoint(buffer, next, codePoint);
        i += Character.charCount(codePoint) - 1;
      }
    }
    return next;
  }

  private static int putCodePoint(MutableDirectBuffer buffer, int index, int codePoint) {
    if (codePoint == 0
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE)) {
      return putByte(buffer, index, REPLACEMENT);
    }
    int next = index;
    if (codePoint < 0x800) {
      next = putByte(buffer, next, (byte) (0xC0 | codePoint >> 6));
    } else if (codePoint < 0x10000) {
      next = putByte(buffer, next, (byte) (0xE0 | codePoint >> 12));
      next = putContinuation(buffer, next, codePoint >> 6);
    } else {
      next = putByte(buffer, next, (byte) (0xF0 | codePoint >> 18));
      next = putContinuation(buffer, next, codePoint >> 12);
      next = putContinuation(buffer, next, codePoint >> 6);
    }
    return putContinuation(buffer, next, codePoint);
  }

  private static int putContinuation(MutableDirectBuffer buffer, int index, int bits) {
    return putByte(buffer, index, (byte) (0x80 | bits & 0x3F));
  }
}
