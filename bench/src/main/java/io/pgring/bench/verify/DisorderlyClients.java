package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.process.Pause;
import io.pgring.bench.wire.Requests;
import io.pgring.bench.wire.WireClient;
import java.io.IOException;

/**
 * Clients that log in, ask for something, and do what drivers do not do in a load test: leave in
 * the middle of a result or of a transaction, fail, or send what is no message. One thread, which
 * ends when this is closed or a login fails.
 */
final class DisorderlyClients implements AutoCloseable {
  private static final int LIMIT_MILLIS = 30_000;
  private static final int PAUSE_MILLIS = 20;
  private static final int LARGE_ROWS = 2_000;

  private final Front front;
  private final Account account;
  private final Thread thread = new Thread(this::run, "disorderly-clients");
  private volatile boolean closed;
  private volatile String failure;

  private DisorderlyClients(Front front, Account account) {
    this.front = front;
    this.account = account;
  }

  static DisorderlyClients start(Front front, Account account) {
    DisorderlyClients clients = new DisorderlyClients(front, account);
    clients.thread.setDaemon(true);
    clients.thread.start();
    return clients;
  }

  private void run() {
    try {
      for (int i = 0; !closed; i++) {
        try (WireClient client = WireClient.login(front.endpoint(), account, LIMIT_MILLIS)) {
          misbehave(client, i);
        }
        Pause.millis(PAUSE_MILLIS);
      }
    } catch (IOException | BenchFailure e) {
      failure = e.getMessage();
    }
  }

  private static void misbehave(WireClient client, int kind) throws IOException {
    String large = "select repeat('x', 1000) from generate_series(1, " + LARGE_ROWS + ")";
    switch (kind % 5) {
      case 0 -> client.query(large);
      case 1 -> {
        client.send(Requests.query(large));
        client.abort();
      }
      case 2 -> client.query("begin; select 'left open'");
      case 3 -> {
        client.send(Requests.query("select 1/0"));
        client.read();
      }
      default -> client.send(new byte[] {'?', 0, 0, 0, 5, 0});
    }
  }

  /** Whether every one of them was let in, and those that asked properly were answered. */
  boolean served() {
    if (failure != null) {
      System.out.println("  a disorderly client: " + failure);
    }
    return failure == null;
  }

  @Override
  public void close() {
    closed = true;
  }
}
