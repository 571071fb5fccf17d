package io.pgring.pipeline;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;

/**
 * The lane's ring of {@link FrameEvent}s with the {@link FrameArena} that holds their bytes. One
 * producer, the selector agent; the stages poll it in turn. Publishing copies the bytes, so the
 * receive buffer is free at once.
 */
public final class FrameRing {
  private final RingBuffer<FrameEvent> ring;
  private final FrameArena arena;
  private Sequence lastStage;
  private long releasedPosition;
  private long passedWhenFull;

  // Written by the producer, read by the last stage.
  private volatile boolean awaited;

  /**
   * @param events capacity in frames, a power of two
   * @param arenaBytes capacity of the arena, see {@link FrameArena}
   */
  public FrameRing(int events, int arenaBytes) {
    // Nobody ever waits on the ring: agents poll it, so the strategy must only have a signal that
    // does nothing.
    ring = RingBuffer.createSingleProducer(FrameEvent::new, events, new BusySpinWaitStrategy());
    arena = new FrameArena(arenaBytes);
  }

  /**
   * Chains pollers, each seeing only what the one before has passed, and makes the last one gate
   * the producer. Must be called once, before the first publish.
   */
  public EventPoller<FrameEvent>[] chainPollers(int stages) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    EventPoller<FrameEvent>[] pollers = new EventPoller[stages];
    for (int i = 0; i < stages; i++) {
      pollers[i] = i == 0 ? ring.newPoller() : ring.newPoller(pollers[i - 1].getSequence());
    }
    lastStage = pollers[stages - 1].getSequence();
    ring.addGatingSequences(lastStage);
    return pollers;
  }

  /**
   * Publishes a frame.
   *
   * @return false when ring or arena are full: nothing was published
   */
  boolean publish(
      ClientConnection client,
      byte type,
      byte part,
      DirectBuffer source,
      int offset,
      int length,
      int messageLength) {
    if (!ring.hasAvailableCapacity(1)) {
      return false;
    }
    if (isDrained()) {
      releasedPosition = arena.rewind();
    }
    int at = arena.copyIn(source, offset, length, releasedPosition);
    if (at < 0) {
      refreshReleasedPosition();
      at = arena.copyIn(source, offset, length, releasedPosition);
      if (at < 0) {
        return false;
      }
    }
    long sequence = ring.next();
    FrameEvent event = ring.get(sequence);
    event.frame(client, type, part, arena.buffer(), at, length, messageLength);
    event.arenaEnd(arena.position());
    ring.publish(sequence);
    return true;
  }

  /** Publishes a notice without bytes; false when the ring is full. */
  boolean publishNotice(ClientConnection client, byte type, int detail) {
    if (!ring.hasAvailableCapacity(1)) {
      return false;
    }
    long sequence = ring.next();
    FrameEvent event = ring.get(sequence);
    event.notice(client, type, detail);
    event.arenaEnd(arena.position());
    ring.publish(sequence);
    return true;
  }

  boolean hasRoom() {
    return ring.hasAvailableCapacity(1);
  }

  // --- a full ring, where the stages have threads of their own

  /**
   * Notes that there was no room, and that {@link #isAwaited} is to tell; true, since the caller
   * has to try once more. Producer only.
   */
  public boolean awaitRoom() {
    passedWhenFull = lastStage.get();
    awaited = true;
    return true;
  }

  /** True from {@link #awaitRoom} until a frame has passed the last stage. Producer only. */
  boolean isStalled() {
    if (awaited && lastStage.get() != passedWhenFull) {
      awaited = false;
    }
    return awaited;
  }

  /** True when the producer waits for what this thread has just let pass. Last stage only. */
  public boolean isAwaited() {
    // The poller publishes its progress without a barrier. Either the producer sees it, or it is
    // seen here that the producer waits.
    VarHandle.fullFence();
    return awaited;
  }

  /** True when every published frame has passed the last stage. */
  public boolean isDrained() {
    return lastStage.get() >= ring.getCursor();
  }

  // The event at the gating sequence has been passed by every stage and only this thread may
  // overwrite it.
  private void refreshReleasedPosition() {
    long passed = lastStage.get();
    if (passed >= 0) {
      releasedPosition = Math.max(releasedPosition, ring.get(passed).arenaEnd());
    }
  }
}
