package io.pgring.jmh;

import io.pgring.transport.ByteQueue;
import io.pgring.transport.SlabPool;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** What waits for a socket: gathered in a slab, written at the end of the duty cycle. */
public class ByteQueueBenchmark extends HotPathBenchmark {
  /** Messages gathered before they are written. */
  @Param({"1", "8"})
  public int messages;

  /** Length of each. */
  @Param({"64", "1024"})
  public int messageBytes;

  private final ByteQueue queue = new ByteQueue(new SlabPool(1 << 20));
  private final MemoryChannel channel = new MemoryChannel();
  private final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(1024));

  /** Borrows a slab with the first message and returns it with the write. */
  @Benchmark
  public int gatherAndWrite() {
    for (int i = 0; i < messages; i++) {
      queue.append(source, 0, messageBytes);
    }
    return queue.writeTo(channel);
  }
}
