package io.pgring.bench.fuzz;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.process.Pause;
import io.pgring.bench.wire.Reply;
import io.pgring.bench.wire.WireClient;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One hostile client: damaged bytes before or after its login, in a few pieces, and then its end.
 * What comes back must be messages, and once the client has ended its side the proxy must end the
 * connection. Used by one thread.
 */
final class FuzzCase {
  /** Beyond the time that the server needs for the statements of all cases that run at once. */
  private static final int LIMIT_MILLIS = 20_000;

  private static final int MAX_PIECES = 4;
  private static final int SHOWN_CHARACTERS = 4_000;

  private final Random random;
  private final List<Conversation> conversations;

  FuzzCase(long seed, List<Conversation> conversations) {
    this.random = new Random(seed);
    this.conversations = conversations;
  }

  /**
   * @param proxy where
   * @param account as whom, where the damage begins after the login
   * @throws BenchFailure when the proxy does not keep to the protocol
   * @throws IOException when it does not let the client in, or does not let it go
   */
  void run(Endpoint proxy, Account account) throws IOException {
    Conversation conversation = any();
    boolean loggedIn = !conversation.session().isEmpty() && random.nextInt(3) > 0;
    List<byte[]> messages = loggedIn ? conversation.session() : conversation.all();
    byte[] bytes = new Mutator(random).damage(messages, any().all());
    try (WireClient client =
        loggedIn
            ? WireClient.login(proxy, account, LIMIT_MILLIS)
            : WireClient.connect(proxy, LIMIT_MILLIS)) {
      converse(client, bytes, !loggedIn && conversation.negotiates());
    }
  }

  private Conversation any() {
    return conversations.get(random.nextInt(conversations.size()));
  }

  private void converse(WireClient client, byte[] bytes, boolean unframed) throws IOException {
    try {
      sendInPieces(client, bytes);
      switch (random.nextInt(4)) {
        case 0 -> client.abort();
        case 1 -> client.close();
        default -> {
          client.endOutput();
          awaitEnd(client, unframed);
        }
      }
    } catch (SocketTimeoutException e) {
      throw new BenchFailure("the connection does not end after " + printable(bytes), e);
    } catch (IOException closedByTheProxy) {
      return;
    }
  }

  private void sendInPieces(WireClient client, byte[] bytes) throws IOException {
    int pieces = 1 + random.nextInt(MAX_PIECES);
    int from = 0;
    for (int i = 1; i <= pieces; i++) {
      int to = i == pieces ? bytes.length : from + random.nextInt(bytes.length - from + 1);
      client.send(Arrays.copyOfRange(bytes, from, to));
      from = to;
      Pause.millis(random.nextInt(3));
    }
  }

  /** What was sent, for the report: the beginning as text, other bytes as escapes. */
  private static String printable(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      if (text.length() > SHOWN_CHARACTERS) {
        return text + "... (" + bytes.length + " bytes)";
      }
      if (b >= ' ' && b < 0x7f) {
        text.append((char) b);
      } else {
        text.append(String.format("\\x%02x", b & 0xff));
      }
    }
    return text.toString();
  }

  private static void awaitEnd(WireClient client, boolean unframed) throws IOException {
    if (unframed) {
      client.discardToEnd();
      return;
    }
    for (Reply reply = client.readOrEnd(); reply != null; ) {
      reply = client.readOrEnd();
    }
  }
}
