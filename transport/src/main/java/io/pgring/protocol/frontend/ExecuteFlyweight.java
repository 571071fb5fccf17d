package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * Execute. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'E'
 *  int32   length
 *  string  portal name, empty for the unnamed portal
 *  int32   most rows to answer; 0 or less means all
 * </pre>
 */
public final class ExecuteFlyweight {
  private DirectBuffer buffer;
  private int portalOffset;
  private int maxRowsOffset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public ExecuteFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    int limit = offset + length;
    portalOffset = offset + HEADER_LENGTH;
    valid = false;
    if (MessageLayout.isFramed(buffer, offset, length)) {
      maxRowsOffset = MessageLayout.stringEnd(buffer, portalOffset, limit);
      valid = MessageLayout.fieldEnd(maxRowsOffset, Integer.BYTES, limit) == limit;
    }
    return this;
  }

  /** Whether the name ends and exactly the row limit follows. */
  public boolean valid() {
    return valid;
  }

  public int portalOffset() {
    return portalOffset;
  }

  /** Length of the portal name in bytes, without its NUL. */
  public int portalLength() {
    return maxRowsOffset - portalOffset - 1;
  }

  /** Most rows to answer; 0 or less means all. */
  public int maxRows() {
    return buffer.getInt(maxRowsOffset, BIG_ENDIAN);
  }
}
