package io.pgring.pipeline;

import com.lmax.disruptor.EventPoller;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The producer finds the ring full and goes to sleep while the last stage passes frames: in no
 * order of their steps does it sleep although there is room. Lincheck makes an instance for each
 * order and calls {@link #nobodySleepsBeforeRoom()} at its end.
 */
@Timeout(180)
public class FullRingInterleavingsTest {
  private final FrameRing ring = new FrameRing(1, 64);
  private final EventPoller<FrameEvent> poller = ring.chainPollers(1)[0];
  private boolean asleep;
  private boolean woken;

  @Operation(nonParallelGroup = "producer")
  public void publishOrSleep() {
    if (asleep || publish() || ring.awaitRoom() && publish()) {
      return;
    }
    asleep = ring.isStalled();
  }

  private boolean publish() {
    return ring.publishNotice(null, FrameEvent.CONNECTED, 0);
  }

  @Operation(nonParallelGroup = "last stage")
  public void pass() throws Exception {
    boolean passed =
        poller.poll((event, sequence, endOfBatch) -> false) == EventPoller.PollState.PROCESSING;
    if (passed && ring.isAwaited()) {
      woken = true;
    }
  }

  @Validate
  public void nobodySleepsBeforeRoom() {
    if (asleep && !woken && ring.hasRoom()) {
      throw new IllegalStateException("asleep in front of a ring with room");
    }
  }

  @Test
  void roomIsNotSleptOver() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(0)
        .iterations(20)
        .invocationsPerIteration(1000)
        .check(FullRingInterleavingsTest.class);
  }
}
