package io.pgring.pipeline;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two threads leave commands and wake the owner, who looks at the inbox and goes to sleep: in no
 * order of their steps does it sleep over a command. Sleeping is the moment before {@link
 * LaneSelector#block}, since what a selector is told then makes its select return at once. Lincheck
 * makes an instance for each order and calls {@link #nobodySleepsOverACommand} at its end.
 */
@Timeout(180)
public class WakeUpInterleavingsTest {
  private final AtomicInteger inbox = new AtomicInteger();
  private final CountingSelector woken = new CountingSelector();
  private final LaneSelector selector =
      new LaneSelector(
          woken,
          () -> {},
          fault -> {
            throw new IllegalStateException(fault);
          });
  private boolean asleep;

  @Operation(nonParallelGroup = "owner")
  public void workOrSleep() {
    if (asleep) {
      return;
    }
    selector.aboutToBlock();
    if (inbox.get() > 0) {
      selector.stayAwake();
      inbox.set(0);
    } else {
      asleep = true;
    }
  }

  @Operation
  public void command() {
    inbox.incrementAndGet();
    selector.wakeUp();
  }

  @Validate
  public void nobodySleepsOverACommand() {
    if (asleep && inbox.get() > 0 && woken.count.get() == 0) {
      throw new IllegalStateException("asleep with " + inbox.get() + " commands waiting");
    }
  }

  @Test
  void aCommandIsNotSleptOver() {
    new ModelCheckingOptions()
        .threads(3)
        .actorsBefore(0)
        .actorsPerThread(2)
        .actorsAfter(0)
        .iterations(15)
        .invocationsPerIteration(500)
        .check(WakeUpInterleavingsTest.class);
  }

  /** Counts the system calls that would wake its owner. */
  private static final class CountingSelector extends AbstractSelector {
    private final AtomicInteger count = new AtomicInteger();

    CountingSelector() {
      super(null);
    }

    @Override
    public Selector wakeup() {
      count.incrementAndGet();
      return this;
    }

    @Override
    protected void implCloseSelector() {}

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> keys() {
      return Set.of();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
      return Set.of();
    }

    @Override
    public int selectNow() {
      return 0;
    }

    @Override
    public int select(long timeoutMs) {
      return 0;
    }

    @Override
    public int select() {
      return 0;
    }
  }
}
