package io.pgring.session;

import io.pgring.classify.Classification;

/**
 * What one session has left in its server connection that cannot follow it to another, as far as
 * the answers have told. Sets of {@link PinCause}; changes inside a transaction count from the
 * start, and are taken back when it is surely rolled back. Owned by relay's thread.
 */
public final class Pins {
  /** Effects of the unnamed statement's text. */
  public int statementEffects;

  /** Effects of what the unnamed portal runs. */
  public int portalEffects;

  /** Causes in what the named portals run. */
  public int namedPortalCauses;

  /** A statement was sent on the server connection since the session has it. */
  public boolean ranStatement;

  private int held;
  private int fresh;
  private int undone;
  private boolean failedLast;
  private boolean counted;
  private long sinceNs;

  /** The causes, those of the open transaction included. */
  public int causes() {
    return held | fresh;
  }

  /** True when the server connection must stay with the session. */
  public boolean any() {
    return (held | fresh) != 0;
  }

  public boolean has(PinCause cause) {
    return ((held | fresh) & cause.bit()) != 0;
  }

  /**
   * True when the session counts as pinned: since a statement that pins was sent, until the server
   * connection is seen to be free of what it left.
   */
  public boolean isCounted() {
    return counted;
  }

  /** Since when the session counts as pinned, by the lane's clock. */
  public long sinceNs() {
    return sinceNs;
  }

  /** Begins to count. */
  public void count(long nowNs) {
    counted = true;
    sinceNs = nowNs;
  }

  /** The end of the transaction decides about something. */
  public boolean isUnsettled() {
    return (fresh | undone) != 0;
  }

  /** Notes that a statement with these effects was run, in the open transaction or by itself. */
  public void ran(int effects) {
    int causes = effects & Classification.EFFECTS_PINNING;
    fresh |= causes & PinCause.TRANSACTIONAL;
    held |= causes & ~PinCause.TRANSACTIONAL;
    undone =
        undone & ~causes
            | (effects & ~Classification.EFFECTS_SEQUENCE) >>> Classification.EFFECTS_UNDO_SHIFT;
    failedLast = false;
  }

  /** COMMIT: what came before it stays. */
  public void committed() {
    held |= fresh;
    fresh = 0;
    failedLast = false;
  }

  /** ROLLBACK, perhaps only to a savepoint. */
  public void rolledBack() {
    undone = 0;
    failedLast = true;
  }

  /**
   * An error.
   *
   * @param endsImplicitTransaction outside a transaction block, nothing of the request remains
   */
  public void failed(boolean endsImplicitTransaction) {
    undone = 0;
    failedLast = endsImplicitTransaction;
  }

  /** No transaction is open any more. */
  public void settle() {
    if (!failedLast) {
      held |= fresh;
    }
    held &= ~undone;
    fresh = 0;
    undone = 0;
    failedLast = false;
  }

  /** DISCARD ALL, which unloads no library. */
  public void discarded() {
    held &= PinCause.LOAD.bit();
    fresh = 0;
    undone = 0;
  }

  /** Nothing is left, and the session does not count any more. */
  public void clear() {
    held = 0;
    fresh = 0;
    undone = 0;
    failedLast = false;
    counted = false;
  }
}
