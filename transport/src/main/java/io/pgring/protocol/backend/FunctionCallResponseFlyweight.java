package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * FunctionCallResponse. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'V'
 *  int32   length
 *  int32   length of the value in bytes, -1 for NULL
 *  bytes   value
 * </pre>
 */
public final class FunctionCallResponseFlyweight {
  private static final int VALUE_LENGTH_OFFSET = HEADER_LENGTH;
  private static final int VALUE_OFFSET = VALUE_LENGTH_OFFSET + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public FunctionCallResponseFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    int limit = offset + length;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.valueEnd(buffer, offset + VALUE_LENGTH_OFFSET, limit) == limit;
    return this;
  }

  /** Whether the value is as long as announced and nothing follows. */
  public boolean valid() {
    return valid;
  }

  public int valueOffset() {
    return offset + VALUE_OFFSET;
  }

  /** Length of the value in bytes, -1 for NULL. */
  public int valueLength() {
    return buffer.getInt(offset + VALUE_LENGTH_OFFSET, BIG_ENDIAN);
  }
}
