package io.pgring.protocol.startup;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * SASLInitialResponse, the answer to AuthenticationSASL. One thread; good until the bytes are
 * released. The SASLResponse that follows it has no layout: all after the header is data.
 *
 * <pre>
 *  byte    'p'
 *  int32   length
 *  string  mechanism
 *  int32   length of the data in bytes, -1 for none
 *  bytes   data
 * </pre>
 */
public final class SaslInitialResponseFlyweight {
  private DirectBuffer buffer;
  private int mechanismOffset;
  private int dataLengthOffset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public SaslInitialResponseFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && hasLayout(offset + HEADER_LENGTH, offset + length);
    return this;
  }

  private boolean hasLayout(int body, int limit) {
    mechanismOffset = body;
    dataLengthOffset = MessageLayout.stringEnd(buffer, mechanismOffset, limit);
    return MessageLayout.valueEnd(buffer, dataLengthOffset, limit) == limit;
  }

  /** Whether the mechanism ends, the data is as long as announced, and nothing follows. */
  public boolean valid() {
    return valid;
  }

  public int mechanismOffset() {
    return mechanismOffset;
  }

  /** Length of the mechanism's name in bytes, without its NUL. */
  public int mechanismLength() {
    return dataLengthOffset - mechanismOffset - 1;
  }

  public int dataOffset() {
    return dataLengthOffset + Integer.BYTES;
  }

  /** Length of the data in bytes, -1 for none. */
  public int dataLength() {
    return buffer.getInt(dataLengthOffset, BIG_ENDIAN);
  }
}
