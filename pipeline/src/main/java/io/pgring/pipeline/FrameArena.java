package io.pgring.pipeline;

import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Off-heap memory for the frames of one lane: claimed in order by the selector agent, freed in the
 * same order as the last stage passes. Frames are contiguous; the end of the memory is padded where
 * one would not fit. Positions only grow; the offset is the position modulo the capacity.
 */
final class FrameArena {
  private final UnsafeBuffer buffer;
  private final int capacity;
  private long position;

  /**
   * @param capacityBytes rounded up to a power of two; at least twice what may be in flight between
   *     two polls
   */
  FrameArena(int capacityBytes) {
    capacity = BitUtil.findNextPositivePowerOfTwo(capacityBytes);
    buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** End of what has been claimed: the position that frees it all. */
  long position() {
    return position;
  }

  /**
   * Starts at the beginning of the memory again; only while everything claimed is free. A lane that
   * keeps up thus uses the same few cache lines over and over.
   *
   * @return the position before which everything is free
   */
  long rewind() {
    position = position + capacity - 1 & -capacity;
    return position;
  }

  /**
   * Copies bytes in.
   *
   * @param releasedPosition everything before it is free
   * @return offset of the copy, or -1 when there is no room
   */
  int copyIn(DirectBuffer source, int sourceOffset, int length, long releasedPosition) {
    int offset = (int) position & (capacity - 1);
    int padding = capacity - offset < length ? capacity - offset : 0;
    if (position + padding + length - releasedPosition > capacity) {
      return -1;
    }
    position += padding;
    offset = (int) position & (capacity - 1);
    buffer.putBytes(offset, source, sourceOffset, length);
    position += length;
    return offset;
  }
}
