package io.pgring.transport;

import java.nio.ByteBuffer;

/**
 * Lends {@link Slab}s in powers of two from 1 KiB to 1 MiB out of a fixed budget of direct memory.
 * Confined to one thread; borrowing and returning neither allocate nor lock once a size class has
 * been warmed up. Memory is never given back to the operating system, so the budget is the ceiling
 * for the life of the process.
 */
public final class SlabPool {
  /** Capacity of the smallest slab in bytes. */
  public static final int MIN_SLAB_BYTES = 1024;

  /** Capacity of the largest slab in bytes. */
  public static final int MAX_SLAB_BYTES = 1 << 20;

  private static final int MIN_SHIFT = Integer.numberOfTrailingZeros(MIN_SLAB_BYTES);
  private static final int CLASSES = Integer.numberOfTrailingZeros(MAX_SLAB_BYTES) - MIN_SHIFT + 1;
  private static final int CHUNK_BYTES = 64 * 1024;

  private final long budgetBytes;
  private final Slab[] free = new Slab[CLASSES];
  private long allocatedBytes;
  private long lentBytes;

  /**
   * @param budgetBytes direct memory that may ever be allocated here
   */
  public SlabPool(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  /**
   * Borrows a slab of at least {@code minBytes}.
   *
   * @return null when the budget is spent or {@code minBytes} is above {@link #MAX_SLAB_BYTES}: the
   *     caller sheds or waits
   */
  public Slab acquire(int minBytes) {
    if (minBytes > MAX_SLAB_BYTES) {
      return null;
    }
    int sizeClass = sizeClass(minBytes);
    Slab slab = free[sizeClass];
    if (slab == null) {
      slab = allocate(sizeClass);
      if (slab == null) {
        slab = pollLarger(sizeClass);
      }
    } else {
      free[sizeClass] = slab.nextFree;
      slab.nextFree = null;
    }
    if (slab == null) {
      return null;
    }
    lentBytes += slab.capacity();
    return slab;
  }

  /** Takes a slab back; the caller must not touch it afterwards. */
  public void release(Slab slab) {
    lentBytes -= slab.capacity();
    slab.byteBuffer().clear();
    slab.nextFree = free[slab.sizeClass];
    free[slab.sizeClass] = slab;
  }

  /** Bytes in slabs that are lent out now. */
  public long lentBytes() {
    return lentBytes;
  }

  /** Direct memory allocated so far. */
  public long allocatedBytes() {
    return allocatedBytes;
  }

  private static int sizeClass(int minBytes) {
    int rounded = Math.max(MIN_SLAB_BYTES, minBytes);
    return 32 - Integer.numberOfLeadingZeros(rounded - 1) - MIN_SHIFT;
  }

  // The budget may be spent on large slabs that are all free, after a burst.
  private Slab pollLarger(int sizeClass) {
    for (int larger = sizeClass + 1; larger < CLASSES; larger++) {
      Slab slab = free[larger];
      if (slab != null) {
        free[larger] = slab.nextFree;
        slab.nextFree = null;
        return slab;
      }
    }
    return null;
  }

  private Slab allocate(int sizeClass) {
    int slabBytes = MIN_SLAB_BYTES << sizeClass;
    int chunkBytes = Math.max(slabBytes, CHUNK_BYTES);
    if (allocatedBytes + chunkBytes > budgetBytes) {
      return null;
    }
    allocatedBytes += chunkBytes;
    ByteBuffer chunk = ByteBuffer.allocateDirect(chunkBytes);
    Slab first = null;
    for (int offset = chunkBytes - slabBytes; offset >= 0; offset -= slabBytes) {
      Slab slab = new Slab(chunk.slice(offset, slabBytes), sizeClass);
      if (offset == 0) {
        first = slab;
      } else {
        slab.nextFree = free[sizeClass];
        free[sizeClass] = slab;
      }
    }
    return first;
  }
}
