package io.pgring.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;

/**
 * A selector with a coalesced wake-up: however many threads ask, one system call wakes a blocked
 * owner, and none is made for one that is running. Owned by one agent, or shared by the agents of a
 * lane that run fused on one thread; only {@link #wakeUp()} may be called from elsewhere.
 */
public final class LaneSelector implements AutoCloseable {
  private static final VarHandle SLEEPING;

  static {
    try {
      SLEEPING =
          MethodHandles.lookup().findVarHandle(LaneSelector.class, "sleeping", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Selector selector;
  private final ErrorHandler errorHandler;
  private final Consumer<SelectionKey> dispatch = this::dispatch;
  private final Runnable onWake;
  private boolean woken;

  @SuppressWarnings("unused") // through SLEEPING
  private volatile boolean sleeping;

  /**
   * @param onWake run on the owner's thread before the first key of each round is dispatched: the
   *     time to read the clock
   */
  public LaneSelector(Runnable onWake, ErrorHandler errorHandler) {
    this(open(), onWake, errorHandler);
  }

  LaneSelector(Selector selector, Runnable onWake, ErrorHandler errorHandler) {
    this.selector = selector;
    this.onWake = onWake;
    this.errorHandler = errorHandler;
  }

  private static Selector open() {
    try {
      return Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a selector", e);
    }
  }

  /** The selector to register channels with. */
  public Selector selector() {
    return selector;
  }

  /** Dispatches the keys that are ready now; returns their number. */
  public int selectNow() {
    woken = false;
    try {
      return selector.selectNow(dispatch);
    } catch (IOException e) {
      errorHandler.onError(e);
      return 0;
    }
  }

  /**
   * Announces that the owner is about to block. The owner must look at its inboxes once more
   * between this call and {@link #block(long)}, so that a command that came before the announcement
   * is not slept over.
   */
  public void aboutToBlock() {
    SLEEPING.setVolatile(this, true);
  }

  /**
   * Blocks until a key is ready, somebody wakes the owner, or the time is over; dispatches the
   * keys.
   *
   * @param timeoutMs at least 1
   */
  public int block(long timeoutMs) {
    woken = false;
    try {
      return selector.select(dispatch, timeoutMs);
    } catch (IOException e) {
      errorHandler.onError(e);
      return 0;
    } finally {
      SLEEPING.setVolatile(this, false);
    }
  }

  /** Takes the announcement back without blocking. */
  public void stayAwake() {
    SLEEPING.setVolatile(this, false);
  }

  /** Wakes the owner if it is blocked or about to block; cheap otherwise. Any thread. */
  public void wakeUp() {
    if ((boolean) SLEEPING.getVolatile(this) && SLEEPING.compareAndSet(this, true, false)) {
      selector.wakeup();
    }
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      errorHandler.onError(e);
    }
  }

  private void dispatch(SelectionKey key) {
    if (!woken) {
      woken = true;
      onWake.run();
    }
    try {
      if (key.isValid()) {
        ((Selectable) key.attachment()).onReady(key.readyOps());
      }
    } catch (RuntimeException | StackOverflowError | AssertionError fault) {
      errorHandler.onError(fault);
    }
  }
}
