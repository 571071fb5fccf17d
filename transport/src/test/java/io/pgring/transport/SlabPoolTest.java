package io.pgring.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class SlabPoolTest {
  private static final int CHUNK_BYTES = 64 * 1024;

  @ParameterizedTest
  @CsvSource({
    "0, 1024",
    "1, 1024",
    "1024, 1024",
    "1025, 2048",
    "65535, 65536",
    "65536, 65536",
    "65537, 131072",
    "1048575, 1048576",
    "1048576, 1048576"
  })
  void lendsTheSmallestPowerOfTwoThatHoldsTheBytes(int minBytes, int capacity) {
    SlabPool pool = new SlabPool(4L * SlabPool.MAX_SLAB_BYTES);

    Slab slab = pool.acquire(minBytes);

    assertThat(slab.capacity()).isEqualTo(capacity);
    assertThat(slab.buffer().capacity()).isEqualTo(capacity);
    assertThat(pool.lentBytes()).isEqualTo(capacity);
    assertThat(pool.allocatedBytes()).isEqualTo(Math.max(capacity, CHUNK_BYTES));
  }

  @Test
  void lendsNothingAboveTheLargestSlab() {
    SlabPool pool = new SlabPool(Long.MAX_VALUE);

    assertThat(pool.acquire(SlabPool.MAX_SLAB_BYTES + 1)).isNull();
    assertThat(pool.allocatedBytes()).isZero();
  }

  @Test
  void neverAllocatesMoreThanItsBudget() {
    SlabPool pool = new SlabPool(CHUNK_BYTES + 1024);
    List<Slab> lent = new ArrayList<>();
    Slab slab;
    while ((slab = pool.acquire(1024)) != null) {
      lent.add(slab);
    }

    assertThat(lent).hasSize(CHUNK_BYTES / 1024);
    assertThat(pool.acquire(2048)).as("another size needs another chunk").isNull();
    assertThat(pool.allocatedBytes()).isEqualTo(CHUNK_BYTES);

    pool.release(lent.get(7));

    assertThat(pool.acquire(1024)).isSameAs(lent.get(7));
    assertThat(pool.allocatedBytes()).isEqualTo(CHUNK_BYTES);
  }

  /** A burst of large slabs must not leave nothing for the many small ones. */
  @Test
  void lendsALargerSlabWhereTheBudgetIsSpent() {
    SlabPool pool = new SlabPool(CHUNK_BYTES);
    Slab large = pool.acquire(CHUNK_BYTES);
    assertThat(pool.acquire(1)).isNull();
    pool.release(large);

    assertThat(pool.acquire(1)).isSameAs(large);
    assertThat(pool.acquire(1)).isNull();
    pool.release(large);
    assertThat(pool.acquire(CHUNK_BYTES)).isSameAs(large);
  }

  @Test
  void givesTheSocketViewBackInItsFirstState() {
    SlabPool pool = new SlabPool(CHUNK_BYTES);
    Slab slab = pool.acquire(1);
    slab.byteBuffer().limit(10).position(3);
    pool.release(slab);

    Slab again = pool.acquire(1);

    assertThat(again).isSameAs(slab);
    assertThat(again.byteBuffer().position()).isZero();
    assertThat(again.byteBuffer().limit()).isEqualTo(1024);
  }

  /**
   * Every slab that is lent is filled with a number of its own, and must still hold it at the end.
   */
  @Test
  void lendsNoByteTwice() {
    Random random = new Random(7);
    SlabPool pool = new SlabPool(8L * SlabPool.MAX_SLAB_BYTES);
    List<Slab> lent = new ArrayList<>();
    List<Byte> marks = new ArrayList<>();
    Set<Slab> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    long lentBytes = 0;
    for (int step = 0; step < 3_000; step++) {
      Slab slab = random.nextInt(3) < 2 ? pool.acquire(1 << random.nextInt(17)) : null;
      if (slab != null) {
        assertThat(distinct.add(slab)).isTrue();
        byte mark = (byte) step;
        slab.buffer().setMemory(0, slab.capacity(), mark);
        lent.add(slab);
        marks.add(mark);
        lentBytes += slab.capacity();
      } else if (!lent.isEmpty()) {
        int index = random.nextInt(lent.size());
        Slab returned = lent.remove(index);
        assertMarked(returned, marks.remove(index));
        distinct.remove(returned);
        lentBytes -= returned.capacity();
        pool.release(returned);
      }
      assertThat(pool.lentBytes()).isEqualTo(lentBytes);
      assertThat(pool.allocatedBytes()).isBetween(lentBytes, 8L * SlabPool.MAX_SLAB_BYTES);
    }
    for (int i = 0; i < lent.size(); i++) {
      assertMarked(lent.get(i), marks.get(i));
    }
  }

  private static void assertMarked(Slab slab, byte mark) {
    for (int i = 0; i < slab.capacity(); i++) {
      if (slab.buffer().getByte(i) != mark) {
        throw new AssertionError("byte " + i + " was changed through another slab");
      }
    }
  }
}
