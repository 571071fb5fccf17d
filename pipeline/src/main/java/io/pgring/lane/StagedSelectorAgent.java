package io.pgring.lane;

import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.SelectorAgent;
import org.agrona.concurrent.Agent;

/** Runs the read side of a staged lane's clients on its own thread. */
final class StagedSelectorAgent implements Agent {
  private static final long MAX_BLOCK_MS = 1000;

  private final LaneSelector selector;
  private final SelectorAgent selectorAgent;

  StagedSelectorAgent(LaneSelector selector, SelectorAgent selectorAgent) {
    this.selector = selector;
    this.selectorAgent = selectorAgent;
  }

  @Override
  public int doWork() {
    int work = select();
    return work + selectorAgent.doWork();
  }

  private int select() {
    selector.aboutToBlock();
    if (selectorAgent.hasWork()) {
      selector.stayAwake();
      return selector.selectNow();
    }
    return selector.block(MAX_BLOCK_MS);
  }

  @Override
  public void onClose() {
    selectorAgent.onClose();
    selector.close();
  }

  @Override
  public String roleName() {
    return selectorAgent.roleName();
  }
}
