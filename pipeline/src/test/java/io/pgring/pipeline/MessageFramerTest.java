package io.pgring.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Framing as the selector agent does it, with what it carries between two reads. */
@Timeout(60)
class MessageFramerTest {
  private static final int SSL_REQUEST = 80_877_103;
  private static final int GSSENC_REQUEST = 80_877_104;
  private static final int CANCEL_REQUEST = 80_877_102;
  private static final int MAX_WHOLE_BYTES = MessageFramer.MAX_WHOLE_BYTES;

  static Stream<Arguments> conversations() {
    byte[] startup = Messages.startup();
    byte[] sync = Messages.message('S', 0, 0);
    return Stream.of(
        Arguments.of("simple queries", Messages.join(startup, query(10), query(0), query(100))),
        Arguments.of(
            "after refused encryption",
            Messages.join(
                Messages.packet(8, SSL_REQUEST, 0),
                Messages.packet(8, GSSENC_REQUEST, 0),
                startup,
                query(5))),
        Arguments.of(
            "an extended unit",
            Messages.join(
                startup,
                Messages.message('P', 30, 1),
                Messages.message('B', 20, 2),
                Messages.message('D', 2, 3),
                Messages.message('E', 5, 4),
                Messages.message('C', 3, 4),
                Messages.message('H', 0, 0),
                sync)),
        Arguments.of(
            "COPY and a function call",
            Messages.join(
                startup,
                query(20),
                Messages.message('d', 40, 9),
                Messages.message('d', 0, 0),
                Messages.message('c', 0, 0),
                Messages.message('f', 7, 0),
                Messages.message('F', 12, 0),
                Messages.message('X', 0, 0))),
        Arguments.of("a cancel request", Messages.packet(16, CANCEL_REQUEST, 8)),
        Arguments.of(
            "bytes behind a cancel request",
            Messages.join(Messages.packet(16, CANCEL_REQUEST, 8), query(3))),
        Arguments.of(
            "an unknown type", Messages.join(startup, query(3), Messages.message('%', 4, 0))),
        Arguments.of(
            "a bad length", Messages.join(startup, query(3), Messages.header('Q', 3, 40))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("conversations")
  void framesAreTheSameWhereverTheBytesAreCut(String name, byte[] bytes) {
    List<String> expected = frames(bytes, bytes.length);
    assertThat(expected).isNotEmpty();

    for (int cut = 1; cut < bytes.length; cut++) {
      assertThat(frames(bytes, cut)).as("cut at byte %s", cut).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("conversations")
  void framesAreTheSameByteByByte(String name, byte[] bytes) {
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = authenticated(side);
      for (int i = 0; i < bytes.length; i++) {
        channel.offer(bytes, i, i + 1);
        side.run();
      }
      assertThat(texts(side)).isEqualTo(frames(bytes, bytes.length));
    }
  }

  private static List<String> frames(byte[] bytes, int cut) {
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = authenticated(side);
      channel.offer(bytes, 0, cut);
      side.run();
      channel.offer(bytes, cut, bytes.length);
      side.run();
      return texts(side);
    }
  }

  @Test
  void givesTypesLengthsAndBytes() {
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = authenticated(side);
      byte[] bytes =
          Messages.join(
              Messages.startup(), Messages.message('Q', 3, 7), Messages.message('S', 0, 0));
      channel.offer(bytes, 0, bytes.length);
      side.run();

      assertThat(texts(side))
          .containsExactly("#0:000000090003000000", "Q:5100000007070809", "S:5300000004");
      assertThat(side.frames)
          .allSatisfy(frame -> assertThat(frame.messageLength()).isEqualTo(frame.bytes().length));
    }
  }

  // --- large messages

  @ParameterizedTest
  @CsvSource({"65531, 1", "65532, 2", "65541, 2", "131072, 3", "300000, 5"})
  void largeMessagesLeaveAsFragments(int bodyBytes, int leastFrames) {
    byte[] message = Messages.message('d', bodyBytes, 0);
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = side.loggedIn();
      byte[] bytes = Messages.join(message, Messages.message('S', 0, 0));
      channel.offer(bytes, 0, bytes.length);
      side.run();

      assertThat(side.frames.size() - 1).isGreaterThanOrEqualTo(leastFrames);
      assertReassembled(side.frames.subList(0, side.frames.size() - 1), message);
      assertThat(side.frames.get(side.frames.size() - 1)).hasToString("S:5300000004");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void fragmentsJoinToTheMessagesWhereverTheyAreCut(long seed) {
    Random random = new Random(seed);
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int bodyBytes = random.nextInt(random.nextBoolean() ? 200 : 3 * MAX_WHOLE_BYTES);
      messages.add(Messages.message("QPBFd".charAt(random.nextInt(5)), bodyBytes, i));
    }
    byte[] bytes = Messages.join(messages.toArray(new byte[0][]));
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = side.loggedIn();
      for (int at = 0; at < bytes.length; ) {
        int end =
            Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 64 : 70_000));
        channel.offer(bytes, at, end);
        at = end;
        side.run();
      }
      int next = 0;
      for (byte[] message : messages) {
        int from = next;
        next = endOfMessage(side.frames, from);
        assertReassembled(side.frames.subList(from, next), message);
      }
      assertThat(next).isEqualTo(side.frames.size());
    }
  }

  @Test
  void aFirstFragmentHoldsTheNamesAtItsHead() {
    byte[] message = Messages.message('B', 2 * MAX_WHOLE_BYTES, 0);
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = side.loggedIn();
      channel.offer(message, 0, MessageFramer.MIN_FIRST_FRAGMENT_BYTES - 1);
      side.run();
      assertThat(side.frames).isEmpty();

      channel.offer(message, MessageFramer.MIN_FIRST_FRAGMENT_BYTES - 1, message.length);
      side.run();
      assertThat(side.frames.get(0).part()).isEqualTo(FrameEvent.FIRST);
      assertThat(side.frames.get(0).bytes().length)
          .isGreaterThanOrEqualTo(MessageFramer.MIN_FIRST_FRAGMENT_BYTES);
    }
  }

  private static int endOfMessage(List<ReadSide.Frame> frames, int from) {
    int at = from;
    while (frames.get(at).part() == FrameEvent.FIRST || frames.get(at).part() == FrameEvent.MORE) {
      at++;
    }
    return at + 1;
  }

  private static void assertReassembled(List<ReadSide.Frame> fragments, byte[] message) {
    for (int i = 0; i < fragments.size(); i++) {
      ReadSide.Frame frame = fragments.get(i);
      boolean last = i == fragments.size() - 1;
      byte expected = i == 0 ? FrameEvent.FIRST : last ? FrameEvent.LAST : FrameEvent.MORE;
      assertThat(frame.part()).isEqualTo(fragments.size() == 1 ? FrameEvent.WHOLE : expected);
      assertThat(frame.type()).isEqualTo(message[0]);
      assertThat(frame.messageLength()).isEqualTo(message.length);
      assertThat(frame.bytes().length).isBetween(1, MAX_WHOLE_BYTES);
    }
    byte[][] parts = fragments.stream().map(ReadSide.Frame::bytes).toArray(byte[][]::new);
    assertThat(Messages.join(parts)).isEqualTo(message);
  }

  // --- limits and nonsense

  @ParameterizedTest
  @CsvSource({
    "Q, 1048576",
    "P, 1048576",
    "B, 1048576",
    "F, 1048576",
    "d, 1048576",
    "p, 1048576",
    "C, 10000",
    "D, 10000",
    "E, 10000",
    "H, 10000",
    "S, 10000",
    "X, 10000",
    "c, 10000",
    "f, 10000"
  })
  void eachTypeHasItsLimit(char type, int limitBytes) {
    assertThat(firstFrame(true, Messages.header(type, limitBytes, limitBytes - 4)))
        .isEqualTo(String.valueOf(type));
    assertThat(firstFrame(true, Messages.header(type, limitBytes + 1, 20_000)))
        .isEqualTo("bad length");
  }

  @ParameterizedTest
  @ValueSource(chars = {'Q', 'P', 'p', 'd', 'S'})
  void limitsAreSmallBeforeAuthentication(char type) {
    assertThat(firstFrame(false, Messages.header(type, 10_000, 9_996)))
        .isEqualTo(String.valueOf(type));
    assertThat(firstFrame(false, Messages.header(type, 10_001, 9_997))).isEqualTo("bad length");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x50000000})
  void impossibleLengthsEndTheConversation(int announcedBytes) {
    assertThat(firstFrame(true, Messages.header('Q', announcedBytes, 100))).isEqualTo("bad length");
  }

  @ParameterizedTest
  @CsvSource({
    "7, 196608",
    "0, 196608",
    "-1, 196608",
    "10001, 196608",
    "2147483647, 196608",
    "1347375956, 542335087"
  })
  void impossibleStartupPacketsEndTheConversation(int announcedBytes, int code) {
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = side.connect();
      side.run();
      side.frames.clear();
      byte[] packet = Messages.packet(announcedBytes, code, 30);
      channel.offer(packet, 0, packet.length);
      channel.offer(packet, 0, packet.length);
      side.run();

      assertThat(side.frames).hasSize(1);
      assertThat(side.frames.get(0).type()).isEqualTo(FrameEvent.UNFRAMEABLE);
      assertThat(side.frames.get(0).detail()).isEqualTo(FramingError.BAD_LENGTH);
      assertThat(FramingError.isUnknownType(side.frames.get(0).detail())).isFalse();
    }
  }

  @Test
  void aStartupPacketMayBeAsLongAsItsLimit() {
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = side.connect();
      byte[] packet = Messages.packet(10_000, 196_608, 9_992);
      channel.offer(packet, 0, packet.length);
      side.run();

      assertThat(side.frames.get(1).bytes()).isEqualTo(packet);
    }
  }

  @Test
  void everyOtherTypeIsUnknownAndNothingBehindItIsRead() {
    for (int type = 0; type < 256; type++) {
      if ("QPBFdpCDEHSXcf".indexOf(type) < 0) {
        try (ReadSide side = ReadSide.roomy()) {
          FakeChannel channel = side.loggedIn();
          byte[] bytes = Messages.join(new byte[] {(byte) type}, query(4), query(4));
          channel.offer(bytes, 0, bytes.length);
          channel.offer(bytes, 0, bytes.length);
          side.run();

          assertThat(side.frames).as("type %s", type).hasSize(1);
          assertThat(side.frames.get(0).type()).isEqualTo(FrameEvent.UNFRAMEABLE);
          assertThat(side.frames.get(0).detail()).isEqualTo(type);
          assertThat(FramingError.isUnknownType(type)).isTrue();
        }
      }
    }
  }

  /** An unknown type is told without waiting for a length. */
  @Test
  void oneByteIsEnoughToBeUnknown() {
    assertThat(firstFrame(true, new byte[] {'!'})).isEqualTo("unknown type");
    assertThat(firstFrame(true, new byte[] {'Q'})).isEqualTo("none");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void randomBytesAreNeverAnException(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      try (ReadSide side = ReadSide.roomy()) {
        FakeChannel channel = random.nextBoolean() ? side.loggedIn() : authenticated(side);
        byte[] bytes = new byte[random.nextInt(5_000)];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
          // Plausible types and lengths are rare among random bytes, so they are sown.
          if (random.nextInt(8) == 0) {
            bytes[i] =
                random.nextBoolean() ? 0 : (byte) "QPBFdpCDEHSXcf".charAt(random.nextInt(14));
          }
        }
        int cut = random.nextInt(bytes.length + 1);
        channel.offer(bytes, 0, cut);
        side.run();
        channel.offer(bytes, cut, bytes.length);
        channel.endOfStream();
        side.run();

        int published = side.frames.stream().mapToInt(frame -> frame.bytes().length).sum();
        assertThat(published).isLessThanOrEqualTo(bytes.length);
        assertThat(side.frames.get(side.frames.size() - 1).type())
            .isEqualTo(FrameEvent.DISCONNECTED);
      }
    }
  }

  private static String firstFrame(boolean authenticated, byte[] bytes) {
    try (ReadSide side = ReadSide.roomy()) {
      FakeChannel channel = side.connect();
      byte[] startup = Messages.startup();
      channel.offer(startup, 0, startup.length);
      side.run();
      if (authenticated) {
        channel.client().authenticated();
      }
      side.frames.clear();
      channel.offer(bytes, 0, bytes.length);
      side.run();
      if (side.frames.isEmpty()) {
        return "none";
      }
      ReadSide.Frame first = side.frames.get(0);
      if (first.type() == FrameEvent.UNFRAMEABLE) {
        return FramingError.isUnknownType(first.detail()) ? "unknown type" : "bad length";
      }
      return String.valueOf((char) first.type());
    }
  }

  /** Authenticated from the start, so that the cut alone makes a difference. */
  private static FakeChannel authenticated(ReadSide side) {
    FakeChannel channel = side.connect();
    channel.client().authenticated();
    side.run();
    side.frames.clear();
    return channel;
  }

  private static List<String> texts(ReadSide side) {
    return side.frames.stream().map(ReadSide.Frame::toString).toList();
  }

  private static byte[] query(int bodyBytes) {
    return Messages.message('Q', bodyBytes, 'a');
  }
}
