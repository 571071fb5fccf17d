package io.pgring.lane;

import io.pgring.pipeline.FrameRing;
import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.SelectorAgent;
import io.pgring.pipeline.StageAgent;
import io.pgring.relay.RelayStage;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Runs a whole lane on one thread: each duty cycle reads what is there, takes it through all
 * stages, and writes what came of it. Blocks in select when there is nothing to do.
 */
final class FusedAgent implements Agent {
  private final LaneSelector selector;
  private final SelectorAgent selectorAgent;
  private final FrameRing ring;
  private final StageAgent[] stages;
  private final RelayStage relay;
  private final boolean blocks;

  /**
   * @param blocks false for a lane that is stepped by its caller
   */
  FusedAgent(
      LaneSelector selector,
      SelectorAgent selectorAgent,
      FrameRing ring,
      StageAgent[] stages,
      RelayStage relay,
      boolean blocks) {
    this.selector = selector;
    this.selectorAgent = selectorAgent;
    this.ring = ring;
    this.stages = stages;
    this.relay = relay;
    this.blocks = blocks;
  }

  @Override
  public int doWork() throws Exception {
    int work = select();
    relay.updateClock();
    work += selectorAgent.doWork();
    work += relay.drainInbox();
    work += runStages();
    work += relay.endCycle();
    return work;
  }

  private int select() {
    if (!blocks || hasWork()) {
      return selector.selectNow();
    }
    selector.aboutToBlock();
    if (hasWork()) {
      selector.stayAwake();
      return selector.selectNow();
    }
    return selector.block(Math.max(1, TimeUnit.NANOSECONDS.toMillis(relay.untilNextTickNs())));
  }

  private boolean hasWork() {
    return selectorAgent.hasWork() || relay.hasWork() || !ring.isDrained();
  }

  private int runStages() throws Exception {
    int work = 0;
    for (StageAgent stage : stages) {
      work += stage.doWork();
    }
    return work;
  }

  @Override
  public void onClose() {
    selectorAgent.onClose();
    relay.onClose();
    selector.close();
  }

  @Override
  public String roleName() {
    return "lane";
  }
}
