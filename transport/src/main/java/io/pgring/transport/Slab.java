package io.pgring.transport;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A piece of off-heap memory lent by a {@link SlabPool}: carried bytes of an incomplete message,
 * parked frames, or bytes that a socket has not taken yet. Confined to the thread of its pool, and
 * owned by one borrower until it is released.
 */
public final class Slab {
  final int sizeClass;
  Slab nextFree;

  private final ByteBuffer byteBuffer;
  private final UnsafeBuffer buffer;

  Slab(ByteBuffer byteBuffer, int sizeClass) {
    this.byteBuffer = byteBuffer;
    this.buffer = new UnsafeBuffer(byteBuffer);
    this.sizeClass = sizeClass;
  }

  /** The memory as an Agrona buffer; indices start at 0. */
  public UnsafeBuffer buffer() {
    return buffer;
  }

  /** The same memory for socket calls; position and limit belong to the borrower. */
  public ByteBuffer byteBuffer() {
    return byteBuffer;
  }

  /** Capacity in bytes. */
  public int capacity() {
    return byteBuffer.capacity();
  }
}
