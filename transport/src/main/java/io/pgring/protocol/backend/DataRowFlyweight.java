package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.ValueList;
import org.agrona.DirectBuffer;

/**
 * DataRow. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'D'
 *  int32   length
 *  int16   number of columns
 *  int32   length in bytes or -1 for NULL, and the value, as many times
 * </pre>
 */
public final class DataRowFlyweight {
  private final ValueList columns = new ValueList();
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public DataRowFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    int limit = offset + length;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && columns.wrap(buffer, offset + HEADER_LENGTH, limit) == limit;
    return this;
  }

  /** Whether the values are as many and as long as announced, and nothing follows. */
  public boolean valid() {
    return valid;
  }

  public int columnCount() {
    return columns.count();
  }

  /**
   * Where the bytes of column {@code index} start, counted from 0 and below {@link #columnCount()}.
   */
  public int columnOffset(int index) {
    return columns.offset(index);
  }

  /** Length of column {@code index} in bytes, -1 for NULL. */
  public int columnLength(int index) {
    return columns.length(index);
  }
}
