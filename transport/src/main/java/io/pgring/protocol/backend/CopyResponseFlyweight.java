package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * CopyInResponse, CopyOutResponse and CopyBothResponse, which have the same layout. One thread;
 * good until the bytes are released.
 *
 * <pre>
 *  byte    'G', 'H' or 'W'
 *  int32   length
 *  int8    format of the whole: 0 text, 1 binary
 *  int16   number of columns
 *  int16   format of the column, as many times
 * </pre>
 */
public final class CopyResponseFlyweight {
  private static final int FORMAT_OFFSET = HEADER_LENGTH;
  private static final int COUNT_OFFSET = FORMAT_OFFSET + Byte.BYTES;
  private static final int COLUMNS_OFFSET = COUNT_OFFSET + Short.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public CopyResponseFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    int limit = offset + length;
    valid =
        length >= COLUMNS_OFFSET
            && MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.arrayEnd(buffer, offset + COUNT_OFFSET, Short.BYTES, limit) == limit;
    return this;
  }

  /** Whether the column formats are as many as announced and nothing follows. */
  public boolean valid() {
    return valid;
  }

  /** Format of the whole copy: 0 text, 1 binary. */
  public int format() {
    return buffer.getByte(offset + FORMAT_OFFSET);
  }

  public int columnCount() {
    return MessageLayout.count(buffer, offset + COUNT_OFFSET);
  }

  /** Format of column {@code index}, counted from 0 and below {@link #columnCount()}. */
  public int columnFormat(int index) {
    return buffer.getShort(offset + COLUMNS_OFFSET + index * Short.BYTES, BIG_ENDIAN);
  }
}
