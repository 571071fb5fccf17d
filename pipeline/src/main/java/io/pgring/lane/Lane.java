package io.pgring.lane;

import com.lmax.disruptor.EventPoller;
import io.pgring.classify.ClassifyStage;
import io.pgring.config.Limits;
import io.pgring.config.ThreadingMode;
import io.pgring.firewall.FirewallStage;
import io.pgring.pipeline.FrameEvent;
import io.pgring.pipeline.FrameRing;
import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.SelectorAgent;
import io.pgring.pipeline.SelectorLimits;
import io.pgring.pipeline.Stage;
import io.pgring.pipeline.StageAgent;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import io.pgring.route.RouteStage;
import io.pgring.transport.SlabPool;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;

/**
 * One lane: a selector, a frame ring, the stages, and its share of clients and server connections.
 * Made and started by the composition root; lives as long as the proxy.
 */
public final class Lane {
  private static final int BATCH_LIMIT = 64;

  private final int number;
  private final SelectorAgent selectorAgent;
  private final RelayStage relay;
  private final List<Runnable> wakeUps = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();

  /** An agent with the idle strategy of its thread. */
  public record Worker(Agent agent, IdleStrategy idleStrategy) {}

  /**
   * @param number of the lane, from 0
   */
  public Lane(int number, ThreadingMode threading, Shared shared, ErrorHandler errorHandler) {
    this.number = number;
    Limits limits = shared.config().limits();
    // One half for what clients sent, one for what waits to be sent.
    long slabBytes = limits.slabBudgetBytes() / shared.config().lanes() / 2;
    FrameRing ring = new FrameRing(limits.ringSize(), limits.frameArenaBytes());
    EventPoller<FrameEvent>[] pollers = ring.chainPollers(4);
    RelayClock clock = new RelayClock();
    LaneSelector relaySelector = new LaneSelector(clock, errorHandler);
    LaneSelector clientSelector =
        threading == ThreadingMode.STAGED
            ? new LaneSelector(() -> {}, errorHandler)
            : relaySelector;
    relay = new RelayStage(number, relaySelector, new SlabPool(slabBytes), shared, errorHandler);
    clock.relay = relay;
    Stage[] stages = {
      new ClassifyStage(limits.maxInspectedSqlBytes()), new FirewallStage(), new RouteStage(), relay
    };
    StageAgent[] stageAgents = new StageAgent[stages.length];
    for (int i = 0; i < stages.length; i++) {
      stageAgents[i] = new StageAgent(pollers[i], stages[i], BATCH_LIMIT, errorHandler);
    }
    SelectorLimits selectorLimits =
        new SelectorLimits(
            RelayStage.slots(limits),
            limits.clientWindowBytes(),
            limits.maxStartupBytes(),
            limits.maxMessageBytes(),
            slabBytes);
    SelectorAgent.RingFull ringFull =
        threading == ThreadingMode.STAGED ? ring::awaitRoom : () -> run(stageAgents);
    selectorAgent = new SelectorAgent(clientSelector, ring, ringFull, selectorLimits, errorHandler);
    switch (threading) {
      case STAGED -> staged(clientSelector, relaySelector, ring, stageAgents);
      default ->
          workers.add(
              new Worker(
                  new FusedAgent(
                      relaySelector,
                      selectorAgent,
                      ring,
                      stageAgents,
                      relay,
                      threading == ThreadingMode.FUSED),
                  NoOpIdleStrategy.INSTANCE));
    }
    wakeUps.add(relaySelector::wakeUp);
    wakeUps.add(clientSelector::wakeUp);
  }

  // Relay is made after the selector that tells it the time.
  private static final class RelayClock implements Runnable {
    private RelayStage relay;

    @Override
    public void run() {
      relay.updateClock();
    }
  }

  private void staged(
      LaneSelector clientSelector,
      LaneSelector relaySelector,
      FrameRing ring,
      StageAgent[] stageAgents) {
    workers.add(
        new Worker(
            new StagedSelectorAgent(clientSelector, selectorAgent), NoOpIdleStrategy.INSTANCE));
    for (int i = 0; i < stageAgents.length - 1; i++) {
      boolean beforeRelay = i == stageAgents.length - 2;
      Agent agent = beforeRelay ? new WakingAgent(stageAgents[i], relaySelector) : stageAgents[i];
      workers.add(new Worker(agent, new BackoffIdleStrategy()));
    }
    workers.add(
        new Worker(
            new StagedRelayAgent(
                relaySelector, stageAgents[stageAgents.length - 1], relay, ring, clientSelector),
            NoOpIdleStrategy.INSTANCE));
  }

  private static boolean run(StageAgent[] stageAgents) {
    try {
      for (StageAgent agent : stageAgents) {
        while (agent.doWork() > 0) {
          // until it has passed everything
        }
      }
      return true;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public int number() {
    return number;
  }

  /** Takes clients. */
  public SelectorAgent selectorAgent() {
    return selectorAgent;
  }

  public RelayStage relay() {
    return relay;
  }

  /** The agents to be run, each with its own thread; a single one when fused. */
  public List<Worker> workers() {
    return workers;
  }

  /** Makes blocked agents look whether they are to end; any thread. */
  public void wakeUp() {
    wakeUps.forEach(Runnable::run);
  }
}
