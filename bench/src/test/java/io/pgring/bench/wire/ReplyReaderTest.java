package io.pgring.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.bench.BenchFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ReplyReaderTest {
  @Test
  void findsMessagesLargerThanItsBuffer() throws IOException {
    ReplyReader reader = new ReplyReader();
    ReadableByteChannel channel =
        Channels.newChannel(new ByteArrayInputStream(message('D', 4 + 10_000, 10_000)));
    assertThat(reader.next()).isNull();
    Reply reply = null;
    while (reply == null && reader.readFrom(channel) >= 0) {
      reply = reader.next();
    }
    assertThat(reply).isNotNull();
    assertThat(reply.type()).isEqualTo('D');
    assertThat(reply.body()).hasSize(10_000);
    assertThat(reader.next()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"?, 4", "D, 3", "D, -1", "D, 2000000000"})
  void objectsToWhatIsNoMessage(char type, int length) throws IOException {
    ReplyReader reader = new ReplyReader();
    reader.readFrom(Channels.newChannel(new ByteArrayInputStream(message(type, length, 0))));
    assertThatThrownBy(reader::next).isInstanceOf(BenchFailure.class).hasMessageContaining("not");
  }

  private static byte[] message(char type, int length, int bodyBytes) {
    return ByteBuffer.allocate(1 + Integer.BYTES + bodyBytes)
        .put((byte) type)
        .putInt(length)
        .array();
  }
}
