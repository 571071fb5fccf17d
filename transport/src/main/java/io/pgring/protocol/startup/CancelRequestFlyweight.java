package io.pgring.protocol.startup;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * CancelRequest. One thread; good until the bytes are released.
 *
 * <pre>
 *  int32   length
 *  int32   80877102
 *  int32   process ID
 *  bytes   secret key, the rest: 4 bytes in protocol 3.0, 4 to 256 in 3.2
 * </pre>
 */
public final class CancelRequestFlyweight {
  /** Shortest key, in bytes. */
  public static final int MIN_KEY_LENGTH = 4;

  /** Longest key, in bytes. */
  public static final int MAX_KEY_LENGTH = 256;

  private static final int CODE_OFFSET = Integer.BYTES;
  private static final int PID_OFFSET = CODE_OFFSET + Integer.BYTES;
  private static final int KEY_OFFSET = PID_OFFSET + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int keyLength;
  private boolean valid;

  /** Takes the packet of {@code length} bytes whose length field is at {@code offset}. */
  public CancelRequestFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    keyLength = length - KEY_OFFSET;
    valid =
        keyLength >= MIN_KEY_LENGTH
            && keyLength <= MAX_KEY_LENGTH
            && MessageLayout.isFramedStartup(buffer, offset, length)
            && buffer.getInt(offset + CODE_OFFSET, BIG_ENDIAN) == FrontendMessage.CANCEL_REQUEST;
    return this;
  }

  /** Whether the code is right and the key has a length the protocol allows. */
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
