package io.pgring.lane;

import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.StageAgent;
import io.pgring.relay.RelayStage;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * Runs relay of a staged lane on its own thread, with its own selector for servers and for clients
 * that are slow.
 */
final class StagedRelayAgent implements Agent {
  private final LaneSelector selector;
  private final StageAgent stage;
  private final RelayStage relay;

  StagedRelayAgent(LaneSelector selector, StageAgent stage, RelayStage relay) {
    this.selector = selector;
    this.stage = stage;
    this.relay = relay;
  }

  @Override
  public int doWork() throws Exception {
    int work = select();
    relay.updateClock();
    work += relay.drainInbox();
    work += stage.doWork();
    work += relay.endCycle();
    return work;
  }

  private int select() throws Exception {
    selector.aboutToBlock();
    // The stage before wakes this thread for what it passes from now on; what it has passed already
    // is looked for here.
    int work = stage.doWork();
    if (work > 0 || relay.hasWork()) {
      selector.stayAwake();
      return work + selector.selectNow();
    }
    return selector.block(Math.max(1, TimeUnit.NANOSECONDS.toMillis(relay.untilNextTickNs())));
  }

  @Override
  public void onClose() {
    relay.onClose();
    selector.close();
  }

  @Override
  public String roleName() {
    return relay.name();
  }
}
