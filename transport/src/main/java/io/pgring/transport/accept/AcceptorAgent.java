package io.pgring.transport.accept;

import io.pgring.transport.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts clients on all listeners and hands them on. It waits in {@code select}, so its runner
 * needs no idle strategy. It owns the listeners from its construction and closes them when told to
 * stop accepting, or at its own end.
 *
 * <p>When the process has no descriptor left, waiting clients are refused by closing them with the
 * help of one that is kept in reserve, a few at a time with a pause between, because a listening
 * socket stays readable as long as somebody waits and would otherwise be polled at full speed. A
 * client that waits during a pause is accepted if a descriptor has become free by then.
 */
public final class AcceptorAgent implements Agent {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptorAgent.class);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(60);

  private final List<Listener> listeners;
  private final int acceptsPerListener;
  private final long selectTimeoutMs;
  private final Consumer<Channel> sink;
  private final SpareDescriptor spare;
  private final Consumer<SelectionKey> onReady = this::onReady;
  private final Selector selector;

  private volatile boolean stopRequested;
  private volatile long refusedCount;
  private boolean paused;
  private long resumeAtNs;
  private long nextLogAtNs = System.nanoTime();
  private int acceptedInCycle;

  /**
   * @param listeners at least one
   * @param acceptsPerCycle clients accepted in one duty cycle at most, shared evenly by the
   *     listeners
   * @param selectTimeoutMs longest wait in a duty cycle; 0 never waits, for stepping by hand
   * @param sink takes over each accepted channel, on this agent's thread; a channel whose sink
   *     throws is closed
   */
  public AcceptorAgent(
      List<Listener> listeners, int acceptsPerCycle, long selectTimeoutMs, Consumer<Channel> sink) {
    this(listeners, acceptsPerCycle, selectTimeoutMs, sink, new SpareDescriptor());
  }

  AcceptorAgent(
      List<Listener> listeners,
      int acceptsPerCycle,
      long selectTimeoutMs,
      Consumer<Channel> sink,
      SpareDescriptor spare) {
    this.listeners = List.copyOf(listeners);
    this.acceptsPerListener = Math.max(1, acceptsPerCycle / listeners.size());
    this.selectTimeoutMs = selectTimeoutMs;
    this.sink = sink;
    this.spare = spare;
    try {
      this.selector = Selector.open();
      for (Listener listener : listeners) {
        listener.channel().register(selector, SelectionKey.OP_ACCEPT, listener);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot watch the listening sockets", e);
    }
  }

  /** Accepts who waits, or waits for somebody. Ends the agent once it was asked to stop. */
  @Override
  public int doWork() {
    if (stopRequested) {
      throw new AgentTerminationException("no longer accepting", true);
    }
    resumeWhenDue();
    acceptedInCycle = 0;
    select();
    return acceptedInCycle;
  }

  /** Makes the agent close its listeners and end. Any thread; returns at once. */
  public void stopAccepting() {
    stopRequested = true;
    selector.wakeup();
  }

  /** Clients refused since the start because the process had no descriptor for them. Any thread. */
  public long refusedCount() {
    return refusedCount;
  }

  @Override
  public void onClose() {
    try {
      for (Listener listener : listeners) {
        close(listener);
      }
      // Closing the selector frees the descriptors of the sockets that were registered with it.
      selector.close();
      spare.release();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the acceptor", e);
    }
  }

  @Override
  public String roleName() {
    return "acceptor";
  }

  private void select() {
    try {
      if (selectTimeoutMs == 0) {
        selector.selectNow(onReady);
      } else {
        selector.select(onReady, paused ? pauseLeftMs() : selectTimeoutMs);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot wait for clients", e);
    }
  }

  private void onReady(SelectionKey key) {
    Listener listener = (Listener) key.attachment();
    for (int i = 0; i < acceptsPerListener; i++) {
      Channel channel = listener.accept();
      if (channel == null) {
        if (listener.failure() != null) {
          refuseAndPause(listener);
        }
        return;
      }
      acceptedInCycle++;
      handOver(channel);
    }
  }

  private void handOver(Channel channel) {
    try {
      sink.accept(channel);
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void refuseAndPause(Listener listener) {
    String failure = listener.failure();
    for (int i = 0; i < acceptsPerListener && spare.release(); i++) {
      Channel refused = listener.accept();
      if (refused != null) {
        refused.close();
        refusedCount++;
      }
      spare.acquire();
      if (refused == null) {
        break;
      }
    }
    pause();
    log(listener, failure);
  }

  private void pause() {
    paused = true;
    resumeAtNs = System.nanoTime() + PAUSE_NS;
    selector.keys().forEach(key -> key.interestOps(0));
  }

  private void resumeWhenDue() {
    if (paused && System.nanoTime() - resumeAtNs >= 0) {
      paused = false;
      spare.acquire();
      selector.keys().forEach(key -> key.interestOps(SelectionKey.OP_ACCEPT));
    }
  }

  private long pauseLeftMs() {
    return 1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, resumeAtNs - System.nanoTime()));
  }

  private void log(Listener listener, String failure) {
    long nowNs = System.nanoTime();
    if (nowNs - nextLogAtNs < 0) {
      return;
    }
    nextLogAtNs = nowNs + LOG_INTERVAL_NS;
    LOG.warn(
        "cannot accept on {}: {}; clients refused so far: {}; this is logged once a minute at most",
        listener.address(),
        failure,
        refusedCount);
  }

  private void close(Listener listener) {
    try {
      listener.close();
    } catch (IOException e) {
      LOG.warn("closing {}: {}", listener.address(), e.getMessage());
    }
  }
}
