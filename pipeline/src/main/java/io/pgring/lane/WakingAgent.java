package io.pgring.lane;

import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.StageAgent;
import org.agrona.concurrent.Agent;

/**
 * Runs the stage before relay and wakes relay, which may be blocked in select, when frames have
 * passed it.
 */
final class WakingAgent implements Agent {
  private final StageAgent stage;
  private final LaneSelector next;

  WakingAgent(StageAgent stage, LaneSelector next) {
    this.stage = stage;
    this.next = next;
  }

  @Override
  public int doWork() throws Exception {
    int work = stage.doWork();
    if (work > 0) {
      next.wakeUp();
    }
    return work;
  }

  @Override
  public String roleName() {
    return stage.roleName();
  }
}
