package io.pgring.pipeline;

import com.lmax.disruptor.EventPoller;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.agrona.collections.MutableInteger;

/**
 * The read side of a lane, stepped by a test: selector agent, ring, and a last stage that notes
 * what it sees. Closed at the end of the test.
 */
final class ReadSide implements AutoCloseable {
  static final int WINDOW_BYTES = 64 * 1024;
  static final int MAX_STARTUP_BYTES = 10_000;
  static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final int MAX_CLIENTS = 8;
  private static final long CARRY_BUDGET_BYTES = 1 << 22;

  final List<Frame> frames = new ArrayList<>();
  final SelectorAgent agent;
  final FrameRing ring;

  /**
   * Bytes of passed frames are given back as credit; a test that is about credit turns this off.
   */
  boolean returnsCredit = true;

  private final LaneSelector selector = new LaneSelector(() -> {}, ReadSide::rethrow);
  private final EventPoller<FrameEvent> poller;
  private final List<FakeChannel> channels = new ArrayList<>();

  /** A frame as the last stage saw it, with a copy of its bytes. */
  record Frame(
      ClientConnection client, byte type, byte part, int detail, int messageLength, byte[] bytes) {
    /** Type, part if it is a fragment, and bytes; for comparison. */
    @Override
    public String toString() {
      String name = type > 0 ? String.valueOf((char) type) : "#" + type;
      String tail = bytes.length == 0 ? "" : ":" + HexFormat.of().formatHex(bytes);
      return name
          + (part == FrameEvent.WHOLE ? "" : "/" + part)
          + (detail == 0 ? "" : "!" + detail)
          + tail;
    }
  }

  ReadSide(int ringEvents, int arenaBytes) {
    this(ringEvents, arenaBytes, WINDOW_BYTES);
  }

  ReadSide(int ringEvents, int arenaBytes, int windowBytes) {
    ring = new FrameRing(ringEvents, arenaBytes);
    poller = ring.chainPollers(1)[0];
    SelectorLimits limits =
        new SelectorLimits(
            MAX_CLIENTS, windowBytes, MAX_STARTUP_BYTES, MAX_MESSAGE_BYTES, CARRY_BUDGET_BYTES);
    agent = new SelectorAgent(selector, ring, ring::awaitRoom, limits, ReadSide::rethrow);
  }

  static ReadSide roomy() {
    return new ReadSide(1024, 1 << 22);
  }

  private static void rethrow(Throwable fault) {
    throw new AssertionError(fault);
  }

  /** A client that was accepted; its CONNECTED notice is in the frames or on its way. */
  FakeChannel connect() {
    FakeChannel channel = new FakeChannel();
    channels.add(channel);
    if (!agent.adopt(channel)) {
      throw new AssertionError("not adopted");
    }
    agent.doWork();
    return channel;
  }

  /** One that has sent a startup packet and may send every message. */
  FakeChannel loggedIn() {
    FakeChannel channel = connect();
    byte[] startup = Messages.startup();
    channel.offer(startup, 0, startup.length);
    run();
    channel.client().authenticated();
    frames.clear();
    return channel;
  }

  /** Reads, frames and passes frames on until nothing moves any more. */
  void run() {
    while (read() + pass(Integer.MAX_VALUE) > 0) {
      // until it is quiet
    }
  }

  /** One duty cycle of the selector agent. */
  int read() {
    int work = 0;
    for (FakeChannel channel : channels) {
      work += channel.select() ? 1 : 0;
    }
    return work + agent.doWork();
  }

  /** Takes at most {@code limit} frames out of the ring. */
  int pass(int limit) {
    MutableInteger passed = new MutableInteger();
    try {
      poller.poll(
          (event, sequence, endOfBatch) -> {
            note(event);
            return passed.incrementAndGet() < limit;
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return passed.get();
  }

  private void note(FrameEvent event) {
    byte[] bytes = new byte[event.length()];
    if (bytes.length > 0) {
      event.buffer().getBytes(event.offset(), bytes);
    }
    frames.add(
        new Frame(
            event.client(),
            event.type(),
            event.part(),
            event.detail(),
            event.messageLength(),
            bytes));
    if (returnsCredit) {
      event.client().relayed(event.length());
    }
  }

  @Override
  public void close() {
    agent.onClose();
    selector.close();
  }
}
