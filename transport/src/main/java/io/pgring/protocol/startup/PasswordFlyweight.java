package io.pgring.protocol.startup;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * PasswordMessage, the answer to a request for a clear or an MD5 password. One thread; good until
 * the bytes are released.
 *
 * <pre>
 *  byte    'p'
 *  int32   length
 *  string  password
 * </pre>
 */
public final class PasswordFlyweight {
  private int passwordOffset;
  private int passwordLength;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public PasswordFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    int limit = offset + length;
    passwordOffset = offset + HEADER_LENGTH;
    passwordLength = length - HEADER_LENGTH - 1;
    valid =
        MessageLayout.isFramed(buffer, offset, length)
            && MessageLayout.stringEnd(buffer, passwordOffset, limit) == limit;
    return this;
  }

  /** Whether the message is one string and nothing after it. */
  public boolean valid() {
    return valid;
  }

  public int passwordOffset() {
    return passwordOffset;
  }

  /** Length of the password in bytes, without its NUL. PostgreSQL refuses an empty one. */
  public int passwordLength() {
    return passwordLength;
  }
}
