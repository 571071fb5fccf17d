package io.pgring.lane;

import io.pgring.pipeline.FrameRing;
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
  private final FrameRing ring;
  private final LaneSelector clientSelector;

  /**
   * @param stage feeds relay
   * @param clientSelector in whose wait the ring's producer may be
   */
  StagedRelayAgent(
      LaneSelector selector,
      StageAgent stage,
      RelayStage relay,
      FrameRing ring,
      LaneSelector clientSelector) {
    this.selector = selector;
    this.stage = stage;
    this.relay = relay;
    this.ring = ring;
    this.clientSelector = clientSelector;
  }

  @Override
  public int doWork() throws Exception {
    int work = select();
    relay.updateClock();
    work += relay.drainInbox();
    work += runStage();
    work += relay.endCycle();
    return work;
  }

  private int select() throws Exception {
    selector.aboutToBlock();
    // The stage before wakes this thread for what it passes from now on; what it has passed already
    // is looked for here.
    int work = runStage();
    if (work > 0 || relay.hasWork()) {
      selector.stayAwake();
      return work + selector.selectNow();
    }
    return selector.block(Math.max(1, TimeUnit.NANOSECONDS.toMillis(relay.untilNextTickNs())));
  }

  private int runStage() throws Exception {
    int work = stage.doWork();
    if (work > 0 && ring.isAwaited()) {
      clientSelector.wakeUp();
    }
    return work;
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
