package io.pgring.protocol;

import static java.nio.ByteOrder.BIG_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * The counted list of values inside Bind, FunctionCall and DataRow: an Int16 count, then for each
 * value an Int32 length (-1 for NULL) and its bytes.
 *
 * <p>Values are found by walking from the one asked for last, so asking in ascending order costs
 * one step each. Part of one flyweight and used by its thread only.
 */
public final class ValueList {
  private DirectBuffer buffer;
  private int firstOffset;
  private int count;
  private int cursorIndex;
  private int cursorOffset;

  /**
   * Takes the list whose count is at {@code offset}, and answers where it is over or {@link
   * MessageLayout#MALFORMED}. A malformed list has no values.
   */
  public int wrap(DirectBuffer buffer, int offset, int limit) {
    this.buffer = buffer;
    firstOffset = MessageLayout.fieldEnd(offset, Short.BYTES, limit);
    count = 0;
    rewind();
    if (firstOffset == MessageLayout.MALFORMED) {
      return MessageLayout.MALFORMED;
    }
    int announced = MessageLayout.count(buffer, offset);
    int end = firstOffset;
    for (int i = 0; i < announced && end != MessageLayout.MALFORMED; i++) {
      end = MessageLayout.valueEnd(buffer, end, limit);
    }
    count = end == MessageLayout.MALFORMED ? 0 : announced;
    return end;
  }

  /** Number of values. */
  public int count() {
    return count;
  }

  /** Where the bytes of value {@code index} start; {@code index} is below {@link #count()}. */
  public int offset(int index) {
    seek(index);
    return cursorOffset + Integer.BYTES;
  }

  /**
   * Length of value {@code index} in bytes, -1 for NULL; {@code index} is below {@link #count()}.
   */
  public int length(int index) {
    seek(index);
    return buffer.getInt(cursorOffset, BIG_ENDIAN);
  }

  private void seek(int index) {
    if (index < cursorIndex) {
      rewind();
    }
    while (cursorIndex < index) {
      cursorOffset += Integer.BYTES + Math.max(buffer.getInt(cursorOffset, BIG_ENDIAN), 0);
      cursorIndex++;
    }
  }

  private void rewind() {
    cursorIndex = 0;
    cursorOffset = firstOffset;
  }
}
