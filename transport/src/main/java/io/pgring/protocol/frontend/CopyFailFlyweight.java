package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * CopyFail. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'f'
 *  int32   length
 *  string  reason
 * </pre>
 */
public final class CopyFailFlyweight {
  private int reasonOffset;
  private int reasonLength;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public CopyFailFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    int limit = offset + length;
    reasonOffset = offset + HEADER_LENGTH;
    reasonLength = length - HEADER_LENGTH - 1;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.stringEnd(buffer, reasonOffset, limit) == limit;
    return this;
  }

  /** Whether the message is one string and nothing after it. */
  public boolean valid() {
    return valid;
  }

  public int reasonOffset() {
    return reasonOffset;
  }

  /** Length of the reason in bytes, without its NUL. */
  public int reasonLength() {
    return reasonLength;
  }
}
