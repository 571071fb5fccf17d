package io.pgring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.classify.Classification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When something that a session has left counts, and when it no longer does. */
@Timeout(10)
class PinsTest {
  private static final int LISTEN = PinCause.LISTEN.bit();
  private static final int LOCK = PinCause.ADVISORY_LOCK.bit();
  private static final int UNLISTEN_ALL = LISTEN << Classification.EFFECTS_UNDO_SHIFT;

  private final Pins pins = new Pins();

  @Test
  void whatWasRunStaysUntilItIsUndone() {
    pins.ran(LISTEN);
    assertThat(pins.any()).isTrue();
    pins.settle();
    assertThat(pins.has(PinCause.LISTEN)).isTrue();
    pins.ran(UNLISTEN_ALL);
    assertThat(pins.any()).as("before the transaction ends").isTrue();
    pins.settle();
    assertThat(pins.any()).isFalse();
  }

  @Test
  void aRollbackTakesBackWhatIsTransactional() {
    pins.ran(LISTEN | LOCK);
    pins.rolledBack();
    pins.settle();
    assertThat(pins.causes()).isEqualTo(LOCK);
  }

  @Test
  void aRollbackToASavepointDoesNot() {
    pins.ran(LISTEN);
    pins.rolledBack();
    pins.committed();
    pins.settle();
    assertThat(pins.causes()).isEqualTo(LISTEN);
  }

  @Test
  void whatIsUndoneBehindASavepointComesBackWithIt() {
    pins.ran(LISTEN);
    pins.ran(UNLISTEN_ALL);
    pins.rolledBack();
    pins.committed();
    pins.settle();
    assertThat(pins.causes()).isEqualTo(LISTEN);
  }

  @Test
  void theLastOfUndoAndRedoCounts() {
    pins.ran(LISTEN);
    pins.settle();
    pins.ran(UNLISTEN_ALL);
    pins.ran(LISTEN);
    pins.settle();
    assertThat(pins.causes()).isEqualTo(LISTEN);
  }

  @Test
  void anErrorEndsAnImplicitTransaction() {
    pins.ran(LISTEN);
    pins.failed(true);
    pins.settle();
    assertThat(pins.any()).isFalse();
    pins.ran(LISTEN);
    pins.failed(false);
    pins.settle();
    assertThat(pins.any()).as("part of it may have been committed").isTrue();
  }

  @Test
  void discardAllUnloadsNothing() {
    pins.ran(LISTEN | LOCK | PinCause.LOAD.bit());
    pins.settle();
    pins.discarded();
    assertThat(pins.causes()).isEqualTo(PinCause.LOAD.bit());
    assertThat(PinCause.titles(LISTEN | LOCK)).isEqualTo("LISTEN, session advisory lock");
  }
}
