package io.pgring.bench.fuzz;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.process.Pause;
import io.pgring.bench.wire.WireClient;
import java.io.IOException;

/**
 * A client that logs in, asks a few questions and leaves, again and again. It runs in a thread of
 * its own until it is closed or is not served in time.
 */
final class HonestClient implements Runnable, AutoCloseable {
  /** Far beyond what a busy machine does to a query. */
  private static final int LIMIT_MILLIS = 10_000;

  private static final int QUESTIONS = 20;
  private static final int PAUSE_MILLIS = 10;

  private final Endpoint proxy;
  private final Account account;
  private volatile boolean closed;
  private volatile String failure;

  HonestClient(Endpoint proxy, Account account) {
    this.proxy = proxy;
    this.account = account;
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        ask();
      }
    } catch (IOException | BenchFailure e) {
      failure = e.getMessage();
    }
  }

  private void ask() throws IOException {
    try (WireClient client = WireClient.login(proxy, account, LIMIT_MILLIS)) {
      for (int i = 0; i < QUESTIONS && !closed; i++) {
        client.query("select 'still here'");
        Pause.millis(PAUSE_MILLIS);
      }
    }
  }

  boolean failed() {
    return failure != null;
  }

  String failure() {
    return failure;
  }

  /** Makes it end after its current question; returns at once. */
  @Override
  public void close() {
    closed = true;
  }
}
