package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * Query. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'Q'
 *  int32   length
 *  string  SQL
 * </pre>
 */
public final class QueryFlyweight {
  private int sqlOffset;
  private int sqlLength;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public QueryFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    int limit = offset + length;
    sqlOffset = offset + HEADER_LENGTH;
    sqlLength = length - HEADER_LENGTH - 1;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.stringEnd(buffer, sqlOffset, limit) == limit;
    return this;
  }

  /** Whether the message is one string and nothing after it. */
  public boolean valid() {
    return valid;
  }

  public int sqlOffset() {
    return sqlOffset;
  }

  /** Length of the SQL in bytes, without its NUL. */
  public int sqlLength() {
    return sqlLength;
  }
}
