package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * Describe and Close, which have the same layout. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'D' or 'C'
 *  int32   length
 *  byte    'S' for a statement, 'P' for a portal
 *  string  name, empty for the unnamed one
 * </pre>
 */
public final class TargetFlyweight {
  public static final byte STATEMENT = 'S';
  public static final byte PORTAL = 'P';

  private byte kind;
  private int nameOffset;
  private int nameLength;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public TargetFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    int limit = offset + length;
    nameOffset = offset + HEADER_LENGTH + 1;
    nameLength = limit - nameOffset - 1;
    valid = false;
    if (MessageLayout.isFramed(buffer, offset, length) && nameLength >= 0) {
      kind = buffer.getByte(offset + HEADER_LENGTH);
      valid =
          (kind == STATEMENT || kind == PORTAL)
              && MessageLayout.stringEnd(buffer, nameOffset, limit) == limit;
    }
    return this;
  }

  /** Whether the kind is one of the two, the name ends, and nothing follows. */
  public boolean valid() {
    return valid;
  }

  /** {@link #STATEMENT} or {@link #PORTAL}. */
  public byte kind() {
    return kind;
  }

  public int nameOffset() {
    return nameOffset;
  }

  /** Length of the name in bytes, without its NUL. */
  public int nameLength() {
    return nameLength;
  }
}
