package io.pgring.jmh;

import com.lmax.disruptor.EventPoller;
import io.pgring.pipeline.FrameEvent;
import io.pgring.pipeline.FrameRing;
import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.Selectable;
import io.pgring.pipeline.SelectorAgent;
import io.pgring.pipeline.SelectorLimits;
import io.pgring.pipeline.Stage;
import io.pgring.pipeline.StageAgent;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One message from the receive buffer through framing, arena and ring past the last stage, on one
 * thread as in a fused lane. With one stage it is mostly framing; what three more stages cost is
 * the ring's part. A read brings as many messages as pgbench's clients send together.
 */
public class FramingBenchmark extends HotPathBenchmark {
  private static final int MESSAGES = 32;
  private static final int WINDOW_BYTES = 64 * 1024;

  /** Stages behind each other. */
  @Param({"1", "4"})
  public int stages;

  /** Length of a Query message. */
  @Param({"64", "1024"})
  public int messageBytes;

  private final MemoryChannel channel = new MemoryChannel();
  private final LaneSelector selector = new LaneSelector(() -> {}, FramingBenchmark::fail);
  private ByteBuffer messages;
  private Selectable client;
  private StageAgent[] agents;

  private static void fail(Throwable fault) {
    throw new IllegalStateException(fault);
  }

  /** Makes the read side of a lane with one logged-in client. */
  @Setup
  public void setUp() throws Exception {
    FrameRing ring = new FrameRing(1024, 1 << 20);
    EventPoller<FrameEvent>[] pollers = ring.chainPollers(stages);
    agents = new StageAgent[stages];
    for (int i = 0; i < stages; i++) {
      Stage stage = i == stages - 1 ? new LastStage() : new PassingStage();
      agents[i] = new StageAgent(pollers[i], stage, MESSAGES, FramingBenchmark::fail);
    }
    SelectorLimits limits = new SelectorLimits(1, WINDOW_BYTES, 10_000, 1 << 20, 1 << 20);
    SelectorAgent agent =
        new SelectorAgent(selector, ring, () -> false, limits, FramingBenchmark::fail);
    agent.adopt(channel);
    agent.doWork();
    client = (Selectable) channel.attachment();
    messages = ByteBuffer.allocateDirect(9).putInt(9).putInt(196_608).put((byte) 0);
    frame();
    messages = ByteBuffer.allocateDirect(MESSAGES * messageBytes);
    for (int i = 0; i < MESSAGES; i++) {
      messages.put((byte) 'Q').putInt(messageBytes - 1).put(new byte[messageBytes - 5]);
    }
  }

  @TearDown
  public void tearDown() {
    selector.close();
  }

  /** Reads once and takes all frames through the stages. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public void frame() throws Exception {
    channel.offer(messages);
    client.onReady(SelectionKey.OP_READ);
    for (StageAgent agent : agents) {
      agent.doWork();
    }
  }

  /** Writes a field, as each stage does. */
  private static final class PassingStage implements Stage {
    @Override
    public void onFrame(FrameEvent frame) {
      frame.verdict(frame.type());
    }

    @Override
    public String name() {
      return "passing";
    }
  }

  /** Gives the credit back, as relay does. */
  private static final class LastStage implements Stage {
    @Override
    public void onFrame(FrameEvent frame) {
      if (frame.type() >= 0) {
        frame.client().authenticated();
        frame.client().relayed(frame.length());
      }
    }

    @Override
    public String name() {
      return "last";
    }
  }
}
