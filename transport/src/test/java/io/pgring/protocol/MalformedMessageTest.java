package io.pgring.protocol;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Malformed input is a value: never an exception, never an answer from outside the message. */
@Timeout(30)
class MalformedMessageTest {
  private static final int OFFSET = 7;
  private static final int RANDOM_MESSAGES = 20_000;
  private static final byte[] TELLING_BYTES = {0, 1, 2, 4, 'S', 'X', 127, -128, -2, -1};

  private final Readers readers = new Readers();

  @ParameterizedTest
  @EnumSource
  void takesGoldenBytes(Layout layout) {
    assertThat(read(layout, layout.golden())).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryTruncationUnderItsOldLength(Layout layout) {
    byte[] golden = layout.golden();
    for (int length = 0; length < golden.length; length++) {
      byte[] cut = Arrays.copyOf(golden, length);
      assertThat(read(layout, cut)).as("%d bytes", length).isFalse();
      UnsafeBuffer whole = new UnsafeBuffer(golden);
      assertThat(readers.read(layout, whole, 0, length)).as("%d bytes", length).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryTruncationUnderItsOwnLength(Layout layout) {
    for (int length = 5; length < layout.golden().length; length++) {
      byte[] cut = withOwnLength(layout, Arrays.copyOf(layout.golden(), length));
      assertThat(read(layout, cut)).as("%d bytes", length).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesBytesLeftOver(Layout layout) {
    byte[] golden = layout.golden();
    byte[] longer = withOwnLength(layout, Arrays.copyOf(golden, golden.length + 1));
    assertThat(read(layout, longer)).isEqualTo(layout.openEnded());
  }

  @ParameterizedTest
  @EnumSource
  void survivesEveryChangeOfOneByte(Layout layout) {
    byte[] golden = layout.golden();
    int body = layout.lengthFieldOffset() + Integer.BYTES;
    for (int i = 0; i < golden.length; i++) {
      for (byte changed : TELLING_BYTES) {
        byte[] message = layout.golden();
        message[i] = changed;
        boolean valid = read(layout, message);
        boolean lengthChanged = i >= layout.lengthFieldOffset() && i < body && changed != golden[i];
        assertThat(valid && lengthChanged).as("length byte %d", i).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void survivesRandomBytes(Layout layout) {
    Random random = new Random(layout.ordinal());
    for (int i = 0; i < RANDOM_MESSAGES; i++) {
      byte[] message = new byte[5 + random.nextInt(48)];
      for (int at = 0; at < message.length; at++) {
        message[at] = TELLING_BYTES[random.nextInt(TELLING_BYTES.length)];
      }
      read(layout, i % 8 == 0 ? message : withOwnLength(layout, message));
    }
  }

  private static byte[] withOwnLength(Layout layout, byte[] message) {
    int at = layout.lengthFieldOffset();
    new UnsafeBuffer(message).putInt(at, message.length - at, BIG_ENDIAN);
    return message;
  }

  /** Reads the message at the very end of a buffer, so that a read behind it is an exception. */
  private boolean read(Layout layout, byte[] message) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[OFFSET + message.length]);
    buffer.putBytes(OFFSET, message);
    return readers.read(layout, buffer, OFFSET, message.length);
  }
}
