package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;

import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.TransactionStatus;
import org.agrona.DirectBuffer;

/**
 * ReadyForQuery. One thread; good for ever, since it keeps the status.
 *
 * <pre>
 *  byte    'Z'
 *  int32   length
 *  byte    transaction status, see TransactionStatus
 * </pre>
 */
public final class ReadyForQueryFlyweight {
  private static final int LENGTH = HEADER_LENGTH + 1;

  private byte status;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public ReadyForQueryFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    valid = false;
    if (length == LENGTH && MessageLayout.isFramed(buffer, offset, length)) {
      status = buffer.getByte(offset + HEADER_LENGTH);
      valid =
          status == TransactionStatus.IDLE
              || status == TransactionStatus.IN_TRANSACTION
              || status == TransactionStatus.FAILED;
    }
    return this;
  }

  /** Whether the message is exactly one known status. */
  public boolean valid() {
    return valid;
  }

  /** A constant of {@link TransactionStatus}. */
  public byte status() {
    return status;
  }
}
