package io.pgring.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ByteQueueTest {
  private static final int CHUNK_BYTES = 64 * 1024;

  private final SlabPool pool = new SlabPool(8L * SlabPool.MAX_SLAB_BYTES);
  private final ByteQueue queue = new ByteQueue(pool);
  private final ScriptedChannel channel = new ScriptedChannel();

  @Test
  void holdsMemoryOnlyWhileItHoldsBytes() {
    assertThat(pool.lentBytes()).isZero();

    append("abc");
    assertThat(pool.lentBytes()).isEqualTo(1024);

    queue.consume(2);
    assertThat(pool.lentBytes()).isEqualTo(1024);

    queue.consume(1);
    assertThat(pool.lentBytes()).isZero();
    assertThat(queue.isEmpty()).isTrue();

    append("def");
    queue.clear();
    assertThat(pool.lentBytes()).isZero();
  }

  @Test
  void keepsTheOrderOfWhatIsAppended() {
    append("ab");
    assertThat(queue.append(new byte[] {'c', 'd'})).isTrue();
    int index = queue.reserve(2);
    queue.buffer().putByte(index, (byte) 'e');
    queue.buffer().putByte(index + 1, (byte) 'f');
    assertThat(queue.size()).as("reserved only").isEqualTo(4);
    queue.commit(2);

    assertThat(text()).isEqualTo("abcdef");
  }

  /** Room is found by moving up what is left, not by a larger slab, once half has been consumed. */
  @Test
  void movesUpWhatIsLeftBeforeItGrows() {
    append("x".repeat(1000));
    queue.consume(600);

    append("y".repeat(500));

    assertThat(pool.lentBytes()).isEqualTo(1024);
    assertThat(text()).isEqualTo("x".repeat(400) + "y".repeat(500));
  }

  @Test
  void growsAndReturnsTheSmallerSlab() {
    append("x".repeat(1000));

    append("y".repeat(100));
    assertThat(pool.lentBytes()).isEqualTo(2048);

    append("z".repeat(30_000));
    assertThat(pool.lentBytes()).isEqualTo(32 * 1024);
    assertThat(text()).isEqualTo("x".repeat(1000) + "y".repeat(100) + "z".repeat(30_000));
  }

  @Test
  void refusesWhatTheBudgetDoesNotAllowAndKeepsWhatItHas() {
    SlabPool small = new SlabPool(CHUNK_BYTES);
    ByteQueue first = new ByteQueue(small);
    UnsafeBuffer source = new UnsafeBuffer(new byte[2000]);
    source.setMemory(0, 2000, (byte) 'q');
    assertThat(first.append(source, 0, 1000)).isTrue();

    assertThat(first.append(source, 0, 1000)).as("a slab of 2 KiB is another chunk").isFalse();
    assertThat(first.append(new byte[1000])).isFalse();
    assertThat(first.reserve(1000)).isNegative();

    assertThat(first.size()).isEqualTo(1000);
    assertThat(first.buffer().getByte(first.head() + 999)).isEqualTo((byte) 'q');
    assertThat(first.append(source, 0, 24))
        .as("what is left of its slab is still its own")
        .isTrue();
    assertThat(new ByteQueue(small).append(source, 0, 1025)).isFalse();
  }

  @Test
  void takesNoMoreThanTheLargestSlab() {
    UnsafeBuffer source = new UnsafeBuffer(new byte[SlabPool.MAX_SLAB_BYTES]);
    assertThat(queue.append(source, 0, SlabPool.MAX_SLAB_BYTES)).isTrue();

    assertThat(queue.append(source, 0, 1)).isFalse();
    assertThat(queue.size()).isEqualTo(SlabPool.MAX_SLAB_BYTES);
  }

  @Test
  void writesWhatTheChannelTakes() {
    append("abcdefgh");
    channel.accept(3).accept(0).accept(100);

    assertThat(queue.writeTo(channel)).isEqualTo(3);
    assertThat(queue.writeTo(channel)).isZero();
    assertThat(queue.size()).isEqualTo(5);
    append("ij");
    assertThat(queue.writeTo(channel)).isEqualTo(7);

    assertThat(channel.writtenText()).isEqualTo("abcdefghij");
    assertThat(queue.isEmpty()).isTrue();
    assertThat(pool.lentBytes()).isZero();
    assertThat(queue.writeTo(channel)).as("nothing to write").isZero();
  }

  @Test
  void keepsItsBytesWhenTheChannelIsBroken() {
    append("abc");
    channel.breakNow();

    assertThat(queue.writeTo(channel)).isEqualTo(Channel.ENDED);
    assertThat(text()).isEqualTo("abc");
  }

  @Test
  void readsBehindWhatItHolds() {
    append("ab");
    channel.offer("cdefgh");
    queue.reserve(4);

    assertThat(queue.readFrom(channel, 4)).isEqualTo(4);
    assertThat(text()).isEqualTo("abcdef");
    queue.reserve(4);
    assertThat(queue.readFrom(channel, 4)).isEqualTo(2);
    assertThat(queue.readFrom(channel, 1)).isZero();
    channel.endOfStream();
    assertThat(queue.readFrom(channel, 1)).isEqualTo(Channel.ENDED);
    assertThat(text()).isEqualTo("abcdefgh");
  }

  /** Every operation against a plain array of what should be in the queue. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void agreesWithAModel(long seed) {
    Random random = new Random(seed);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    int taken = 0;
    for (int step = 0; step < 5_000; step++) {
      int size = expected.size() - taken;
      byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 20_000 : 700)];
      random.nextBytes(bytes);
      switch (random.nextInt(4)) {
        case 0 -> {
          queue.append(new UnsafeBuffer(bytes), 0, bytes.length);
          expected.writeBytes(bytes);
        }
        case 1 -> {
          channel.offer(bytes);
          queue.reserve(bytes.length);
          queue.readFrom(channel, bytes.length);
          expected.writeBytes(bytes);
        }
        case 2 -> {
          int length = random.nextInt(size + 1);
          queue.consume(length);
          taken += length;
        }
        default -> {
          channel.accept(random.nextInt(size + 1));
          taken += queue.writeTo(channel);
        }
      }
      assertThat(queue.size()).isEqualTo(expected.size() - taken);
    }
    assertThat(bytes())
        .isEqualTo(Arrays.copyOfRange(expected.toByteArray(), taken, expected.size()));
  }

  private void append(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertThat(queue.append(new UnsafeBuffer(bytes), 0, bytes.length)).isTrue();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[queue.size()];
    if (bytes.length > 0) {
      queue.buffer().getBytes(queue.head(), bytes);
    }
    return bytes;
  }

  private String text() {
    return new String(bytes(), StandardCharsets.US_ASCII);
  }
}
