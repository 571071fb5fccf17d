package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * CommandComplete. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'C'
 *  int32   length
 *  string  command tag, for instance INSERT 0 5
 * </pre>
 */
public final class CommandCompleteFlyweight {
  /** Answered where the tag has no number of rows. */
  public static final long NO_ROW_COUNT = -1;

  private static final int MAX_ROW_COUNT_DIGITS = 18;

  private DirectBuffer buffer;
  private int tagOffset;
  private int tagLength;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public CommandCompleteFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    int limit = offset + length;
    tagOffset = offset + HEADER_LENGTH;
    tagLength = length - HEADER_LENGTH - 1;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.stringEnd(buffer, tagOffset, limit) == limit;
    return this;
  }

  /** Whether the message is one string and nothing after it. */
  public boolean valid() {
    return valid;
  }

  public int tagOffset() {
    return tagOffset;
  }

  /** Length of the tag in bytes, without its NUL. */
  public int tagLength() {
    return tagLength;
  }

  /**
   * The number of rows: the last word of the tag where that is a number of up to 18 digits, else
   * {@link #NO_ROW_COUNT}.
   */
  public long rowCount() {
    long count = 0;
    long power = 1;
    int index = tagOffset + tagLength - 1;
    while (index > tagOffset && isDigit(buffer.getByte(index))) {
      count += (buffer.getByte(index) - '0') * power;
      power *= 10;
      index--;
    }
    int digits = tagOffset + tagLength - 1 - index;
    boolean isWord = digits > 0 && digits <= MAX_ROW_COUNT_DIGITS && buffer.getByte(index) == ' ';
    return isWord ? count : NO_ROW_COUNT;
  }

  private static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }
}
