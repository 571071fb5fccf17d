package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * ParameterDescription. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    't'
 *  int32   length
 *  int16   number of parameters
 *  int32   type OID, as many times
 * </pre>
 */
public final class ParameterDescriptionFlyweight {
  private static final int COUNT_OFFSET = HEADER_LENGTH;
  private static final int TYPES_OFFSET = COUNT_OFFSET + Short.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public ParameterDescriptionFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    int limit = offset + length;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.arrayEnd(buffer, offset + COUNT_OFFSET, Integer.BYTES, limit) == limit;
    return this;
  }

  /** Whether the types are as many as announced and nothing follows. */
  public boolean valid() {
    return valid;
  }

  public int parameterCount() {
    return MessageLayout.count(buffer, offset + COUNT_OFFSET);
  }

  /** Type OID of parameter {@code index}, counted from 0 and below {@link #parameterCount()}. */
  public int parameterType(int index) {
    return buffer.getInt(offset + TYPES_OFFSET + index * Integer.BYTES, BIG_ENDIAN);
  }
}
