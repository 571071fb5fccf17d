package io.pgring.pipeline;

import com.lmax.disruptor.EventPoller;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * Feeds a {@link Stage} from its {@link EventPoller}, at most {@code batchLimit} frames a duty
 * cycle, because the next stage sees progress only after the whole poll. A stage that throws loses
 * that frame, not the ring: a poller would otherwise be given the same event for ever.
 */
public final class StageAgent implements Agent, EventPoller.Handler<FrameEvent> {
  private final EventPoller<FrameEvent> poller;
  private final Stage stage;
  private final int batchLimit;
  private final ErrorHandler errorHandler;
  private int handled;

  public StageAgent(
      EventPoller<FrameEvent> poller, Stage stage, int batchLimit, ErrorHandler errorHandler) {
    this.poller = poller;
    this.stage = stage;
    this.batchLimit = batchLimit;
    this.errorHandler = errorHandler;
  }

  @Override
  public int doWork() throws Exception {
    handled = 0;
    poller.poll(this);
    return handled;
  }

  @Override
  public boolean onEvent(FrameEvent frame, long sequence, boolean endOfBatch) {
    try {
      stage.onFrame(frame);
    } catch (RuntimeException | StackOverflowError | AssertionError fault) {
      errorHandler.onError(fault);
    }
    return ++handled < batchLimit;
  }

  @Override
  public String roleName() {
    return stage.name();
  }
}
