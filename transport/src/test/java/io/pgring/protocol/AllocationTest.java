package io.pgring.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading and writing messages allocates nothing. */
@Timeout(60)
class AllocationTest {
  private static final int MESSAGES = 100_000;
  private static final int ROUNDS = 5;
  private static final byte[] NAME = {'s', '1'};

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
  private final Readers readers = new Readers();

  @ParameterizedTest
  @EnumSource
  void readsWithoutAllocation(Layout layout) {
    byte[] golden = layout.golden();
    buffer.putBytes(0, golden);
    assertThat(
            allocatedBytes(() -> assertRead(readers.read(layout, buffer, 0, golden.length), true)))
        .isZero();
  }

  @ParameterizedTest
  @EnumSource
  void refusesWithoutAllocation(Layout layout) {
    byte[] golden = layout.golden();
    buffer.putBytes(0, golden);
    assertThat(
            allocatedBytes(
                () -> assertRead(readers.read(layout, buffer, 0, golden.length - 1), false)))
        .isZero();
  }

  @Test
  void writesWithoutAllocation() {
    UnsafeBuffer source = new UnsafeBuffer(WireBytes.of("'select 1' 00 0000"));
    assertThat(
            allocatedBytes(
                () -> {
                  int end = BackendEncoder.readyForQuery(buffer, 0, TransactionStatus.IDLE);
                  end += BackendEncoder.parseComplete(buffer, end);
                  end += BackendEncoder.commandComplete(buffer, end, "DISCARD \u00e9");
                  end +=
                      BackendEncoder.errorResponse(
                          buffer, end, "ERROR", "08P01", "no", null, "\ud83d\ude00");
                  end += FrontendEncoder.parse(buffer, end, NAME, source, 0, source.capacity());
                  end += FrontendEncoder.close(buffer, end, (byte) 'S', NAME);
                  FrontendEncoder.sync(buffer, end);
                }))
        .isZero();
  }

  private static void assertRead(boolean valid, boolean expected) {
    if (valid != expected) {
      throw new AssertionError("valid is " + valid);
    }
  }

  /**
   * The least of a few rounds: what messages allocate shows in each of them, what the JVM allocates
   * once on this thread (linking a call site, say) does not.
   */
  private long allocatedBytes(Runnable step) {
    run(step);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > 0; round++) {
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      run(step);
      long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      least = Math.min(least, after - before);
    }
    return least;
  }

  private static void run(Runnable step) {
    for (int i = 0; i < MESSAGES; i++) {
      step.run();
    }
  }
}
