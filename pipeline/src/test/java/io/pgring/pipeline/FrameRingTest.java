package io.pgring.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ring and arena when they are full, and the selector agent in front of them. */
@Timeout(60)
class FrameRingTest {
  @Test
  void takesAsManyFramesAsItHasPlaces() {
    try (ReadSide side = new ReadSide(4, 1 << 16)) {
      ClientConnection client = client(side);

      for (int i = 0; i < 4; i++) {
        assertThat(publish(side, client, 10, i)).isTrue();
      }
      assertThat(publish(side, client, 10, 4)).isFalse();
      assertThat(side.ring.publishNotice(client, FrameEvent.DISCONNECTED, 0)).isFalse();
      assertThat(side.ring.hasRoom()).isFalse();
      assertThat(side.ring.isDrained()).isFalse();

      assertThat(side.pass(1)).isEqualTo(1);
      assertThat(publish(side, client, 10, 5)).isTrue();
      side.pass(10);
      assertThat(side.ring.isDrained()).isTrue();
      assertThat(firstBytes(side)).containsExactly(0, 1, 2, 3, 5);
    }
  }

  @Test
  void takesAsManyBytesAsItsArenaHolds() {
    try (ReadSide side = new ReadSide(64, 4096)) {
      ClientConnection client = client(side);

      assertThat(publish(side, client, 2048, 0)).isTrue();
      assertThat(publish(side, client, 2048, 1)).isTrue();
      assertThat(publish(side, client, 1, 2)).isFalse();
      assertThat(side.ring.publishNotice(client, FrameEvent.DISCONNECTED, 0))
          .as("a notice has no bytes")
          .isTrue();

      side.pass(1);
      assertThat(publish(side, client, 2049, 3)).isFalse();
      assertThat(publish(side, client, 2048, 4)).isTrue();
      side.pass(10);
      assertThat(firstBytes(side)).containsExactly(0, 1, -1, 4);
    }
  }

  /** A frame that would not fit before the end of the memory begins at its start. */
  @Test
  void padsTheEndOfTheArena() {
    try (ReadSide side = new ReadSide(64, 4096)) {
      ClientConnection client = client(side);
      publish(side, client, 1500, 0);
      publish(side, client, 1500, 1);
      side.pass(1);

      // 1,096 bytes at the end are left, 1,500 at the start are free.
      assertThat(publish(side, client, 1501, 2)).isFalse();
      assertThat(publish(side, client, 1500, 3)).isTrue();
      assertThat(publish(side, client, 1, 4)).as("the padding counts as taken").isFalse();
      side.pass(10);
      assertThat(publish(side, client, 2500, 5)).isTrue();
      side.pass(10);

      assertThat(firstBytes(side)).containsExactly(0, 1, 3, 5);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 16, 4096", "2, 64, 4096", "3, 1024, 8192", "4, 8, 65536"})
  void everyFrameComesOutAsItWentIn(long seed, int events, int arenaBytes) {
    Random random = new Random(seed);
    List<byte[]> expected = new ArrayList<>();
    try (ReadSide side = new ReadSide(events, arenaBytes)) {
      ClientConnection client = client(side);
      int refused = 0;
      for (int step = 0; step < 50_000; step++) {
        byte[] bytes = new byte[1 + random.nextInt(arenaBytes / (1 + random.nextInt(32)))];
        random.nextBytes(bytes);
        if (side.ring.publish(
            client,
            (byte) 'd',
            FrameEvent.WHOLE,
            new UnsafeBuffer(bytes),
            0,
            bytes.length,
            bytes.length)) {
          expected.add(bytes);
        } else {
          refused++;
          side.pass(1 + random.nextInt(events));
        }
        if (side.frames.size() > 1000) {
          assertSame(side.frames, expected);
        }
      }
      while (side.pass(100) > 0) {
        // the rest
      }
      assertSame(side.frames, expected);
      assertThat(expected).isEmpty();
      assertThat(refused).isPositive();
    }
  }

  /**
   * What cannot be published stays with its client, in order, and is published when there is room.
   */
  @ParameterizedTest
  @CsvSource({"1, 4, 262144", "2, 64, 65536", "3, 8, 65536"})
  void aFullRingLosesNothing(long seed, int events, int arenaBytes) {
    Random random = new Random(seed);
    try (ReadSide side = new ReadSide(events, arenaBytes)) {
      FakeChannel[] channels = {side.loggedIn(), side.loggedIn(), side.loggedIn()};
      byte[][] sent = new byte[channels.length][];
      for (int c = 0; c < channels.length; c++) {
        byte[][] messages = new byte[200][];
        for (int i = 0; i < messages.length; i++) {
          messages[i] =
              Messages.message('d', random.nextInt(random.nextInt(10) == 0 ? 30_000 : 300), i);
        }
        sent[c] = Messages.join(messages);
        for (int at = 0; at < sent[c].length; ) {
          int end = Math.min(sent[c].length, at + 1 + random.nextInt(9_000));
          channels[c].offer(sent[c], at, end);
          at = end;
        }
        channels[c].endOfStream();
      }
      for (int idle = 0; idle < 3; ) {
        int work = side.read() + side.pass(1 + random.nextInt(3));
        idle = work == 0 ? idle + 1 : 0;
      }
      for (int c = 0; c < channels.length; c++) {
        assertReceived(side, channels[c].client(), sent[c], 1);
      }
    }
  }

  /** Neither reading nor trying again helps until the last stage has passed something. */
  @Test
  void aFullRingStopsTheReadingOfItsClients() {
    try (ReadSide side = new ReadSide(4, 1 << 16)) {
      FakeChannel channel = side.loggedIn();
      FakeChannel quiet = side.loggedIn();
      byte[] sent = messages(6);
      channel.offer(sent, 0, sent.length);
      side.read();
      assertThat(channel.isReadWanted()).isFalse();
      assertThat(quiet.isReadWanted()).as("whoever has not met the full ring").isTrue();
      assertThat(side.agent.hasWork()).isFalse();
      assertThat(side.ring.isAwaited()).isTrue();

      side.pass(1);
      assertThat(side.agent.hasWork()).isTrue();
      side.read();
      assertThat(channel.isReadWanted()).as("one message is still to be published").isFalse();
      assertThat(side.agent.hasWork()).isFalse();

      side.pass(1);
      side.read();
      assertThat(channel.isReadWanted()).isTrue();
      assertThat(side.agent.hasWork()).isFalse();
      side.pass(10);
      side.read();
      assertThat(side.ring.isAwaited()).isFalse();
      assertReceived(side, channel.client(), sent, 0);
    }
  }

  @Test
  void aFullRingAdoptsNobody() {
    try (ReadSide side = new ReadSide(4, 1 << 16)) {
      FakeChannel channel = side.loggedIn();
      byte[] sent = messages(4);
      channel.offer(sent, 0, sent.length);
      side.read();
      FakeChannel late = side.connect();
      assertThat(late.isRegistered()).isFalse();
      assertThat(side.agent.hasWork()).isFalse();
      assertThat(side.ring.isAwaited()).isTrue();

      side.pass(1);
      assertThat(side.agent.hasWork()).isTrue();
      side.read();
      assertThat(late.isRegistered()).isTrue();
      assertThat(side.agent.hasWork()).isFalse();
    }
  }

  private static byte[] messages(int count) {
    byte[][] messages = new byte[count][];
    for (int i = 0; i < count; i++) {
      messages[i] = Messages.message('d', 10, i);
    }
    return Messages.join(messages);
  }

  private static void assertReceived(
      ReadSide side, ClientConnection client, byte[] sent, int notices) {
    List<ReadSide.Frame> own =
        side.frames.stream().filter(frame -> frame.client() == client).toList();
    assertThat(Messages.join(own.stream().map(ReadSide.Frame::bytes).toArray(byte[][]::new)))
        .isEqualTo(sent);
    assertThat(own).filteredOn(frame -> frame.type() < 0).hasSize(notices);
    if (notices > 0) {
      assertThat(own.get(own.size() - 1).type()).isEqualTo(FrameEvent.DISCONNECTED);
    }
  }

  /** Takes the frames off both lists, as far as they have come out. */
  private static void assertSame(List<ReadSide.Frame> frames, List<byte[]> expected) {
    for (int i = 0; i < frames.size(); i++) {
      assertThat(frames.get(i).bytes()).isEqualTo(expected.get(i));
    }
    expected.subList(0, frames.size()).clear();
    frames.clear();
  }

  private static ClientConnection client(ReadSide side) {
    ClientConnection client = side.connect().client();
    side.run();
    side.frames.clear();
    side.returnsCredit = false;
    return client;
  }

  private static boolean publish(ReadSide side, ClientConnection client, int length, int first) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) first;
    return side.ring.publish(
        client, (byte) 'd', FrameEvent.WHOLE, new UnsafeBuffer(bytes), 0, length, length);
  }

  private static List<Integer> firstBytes(ReadSide side) {
    return side.frames.stream()
        .map(frame -> frame.bytes().length == 0 ? -1 : (int) frame.bytes()[0])
        .toList();
  }
}
