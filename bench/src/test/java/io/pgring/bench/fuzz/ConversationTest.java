package io.pgring.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.bench.wire.Requests;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ConversationTest {
  private static final byte[] STARTUP = Requests.startup("user", "app");
  private static final byte[] SSL_REQUEST =
      ByteBuffer.allocate(8).putInt(8).putInt(80877103).array();
  private static final byte[] PASSWORD = {'p', 0, 0, 0, 6, 'x', 0};
  private static final byte[] QUERY = Requests.query("select 1");
  private static final byte[] TERMINATE = Requests.terminate();

  @Test
  void splitsWhatWasSent() {
    Conversation conversation =
        Conversation.of(join(SSL_REQUEST, STARTUP, PASSWORD, QUERY, TERMINATE));
    assertThat(conversation.login()).containsExactly(SSL_REQUEST, STARTUP, PASSWORD);
    assertThat(conversation.session()).containsExactly(QUERY, TERMINATE);
    assertThat(conversation.negotiates()).isTrue();
  }

  @Test
  void leavesAnIncompleteMessageOut() {
    Conversation conversation = Conversation.of(join(STARTUP, QUERY, new byte[] {'Q', 0, 0, 0, 9}));
    assertThat(conversation.session()).containsExactly(QUERY);
    assertThat(conversation.negotiates()).isFalse();
  }

  @Test
  void damageFollowsFromTheSeed() {
    List<byte[]> messages = List.of(QUERY, QUERY, TERMINATE);
    int different = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      byte[] damaged = new Mutator(new Random(seed)).damage(messages, List.of(PASSWORD));
      assertThat(new Mutator(new Random(seed)).damage(messages, List.of(PASSWORD)))
          .isEqualTo(damaged);
      different += Arrays.equals(damaged, join(QUERY, QUERY, TERMINATE)) ? 0 : 1;
    }
    assertThat(different).isBetween(700, 999);
  }

  private static byte[] join(byte[]... messages) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] message : messages) {
      bytes.writeBytes(message);
    }
    return bytes.toByteArray();
  }
}
