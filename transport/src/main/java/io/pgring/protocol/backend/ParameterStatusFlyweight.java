package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * ParameterStatus. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'S'
 *  int32   length
 *  string  parameter name
 *  string  parameter value
 * </pre>
 */
public final class ParameterStatusFlyweight {
  private int nameOffset;
  private int valueOffset;
  private int limit;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public ParameterStatusFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    limit = offset + length;
    nameOffset = offset + HEADER_LENGTH;
    valid = false;
    if (MessageLayout.isFramed(buffer, offset, length)) {
      valueOffset = MessageLayout.stringEnd(buffer, nameOffset, limit);
      valid = MessageLayout.stringEnd(buffer, valueOffset, limit) == limit;
    }
    return this;
  }

  /** Whether the message is two strings and nothing after them. */
  public boolean valid() {
    return valid;
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
    return limit - valueOffset - 1;
  }
}
