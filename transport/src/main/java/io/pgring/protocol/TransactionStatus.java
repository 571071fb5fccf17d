package io.pgring.protocol;

/** The status byte of ReadyForQuery. */
public final class TransactionStatus {
  /** Not in a transaction block. */
  public static final byte IDLE = 'I';

  /** In a transaction block. */
  public static final byte IN_TRANSACTION = 'T';

  /** In a transaction block that failed: everything but its end is refused. */
  public static final byte FAILED = 'E';

  private TransactionStatus() {}
}
