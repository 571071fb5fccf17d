package io.pgring.protocol.startup;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * BackendKeyData. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'K'
 *  int32   length
 *  int32   process ID
 *  bytes   secret key, the rest: 4 bytes in protocol 3.0, 4 to 256 in 3.2
 * </pre>
 */
public final class BackendKeyDataFlyweight {
  private static final int PID_OFFSET = HEADER_LENGTH;
  private static final int KEY_OFFSET = PID_OFFSET + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int keyLength;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public BackendKeyDataFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    keyLength = length - KEY_OFFSET;
    valid =
        keyLength >= CancelRequestFlyweight.MIN_KEY_LENGTH
            && keyLength <= CancelRequestFlyweight.MAX_KEY_LENGTH
            && MessageLayout.isFramed(buffer, offset, length);
    return this;
  }

  /** Whether the key has a length the protocol allows. */
  public boolean valid() {
    return valid;
  }

  public int pid() {
    return buffer.getInt(offset + PID_OFFSET, BIG_ENDIAN);
  }

  public int keyOffset() {
    return offset + KEY_OFFSET;
  }

  /** Length of the key in bytes. */
  public int keyLength() {
    return keyLength;
  }
}
