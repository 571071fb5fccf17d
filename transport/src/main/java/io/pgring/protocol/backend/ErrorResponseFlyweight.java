package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.FieldCode;
import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * ErrorResponse and NoticeResponse, which have the same layout. One thread; good until the bytes
 * are released.
 *
 * <pre>
 *  byte    'E' or 'N'
 *  int32   length
 *  byte    field code, see FieldCode }
 *  string  field text                } any number of fields
 *  byte    0
 * </pre>
 */
public final class ErrorResponseFlyweight {
  private DirectBuffer buffer;
  private int offset;
  private int limit;
  private boolean valid;
  private int fieldOffset;
  private int fieldLength;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public ErrorResponseFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    limit = offset + length;
    fieldOffset = offset + HEADER_LENGTH;
    fieldLength = 0;
    valid = MessageLayout.isFramed(buffer, offset, length) && hasLayout();
    return this;
  }

  private boolean hasLayout() {
    int next = offset + HEADER_LENGTH;
    while (next != MessageLayout.MALFORMED && next < limit && buffer.getByte(next) != 0) {
      next = MessageLayout.stringEnd(buffer, next + 1, limit);
    }
    return next == limit - 1;
  }

  /** Whether all fields end and the terminator is exactly the last byte. */
  public boolean valid() {
    return valid;
  }

  /**
   * Looks for the first field with a code of {@link FieldCode}. When it is there, {@link
   * #fieldOffset()} and {@link #fieldLength()} tell where.
   */
  public boolean field(byte code) {
    int next = offset + HEADER_LENGTH;
    while (valid && next < limit - 1) {
      int end = MessageLayout.stringEnd(buffer, next + 1, limit);
      if (buffer.getByte(next) == code) {
        fieldOffset = next + 1;
        fieldLength = end - fieldOffset - 1;
        return true;
      }
      next = end;
    }
    return false;
  }

  /** Where the text of the field found last starts. */
  public int fieldOffset() {
    return fieldOffset;
  }

  /** Length of the field found last in bytes, without its NUL. */
  public int fieldLength() {
    return fieldLength;
  }
}
