package io.pgring.bench.fuzz;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Hostile clients of one user against a running proxy, several at a time, beside an honest client
 * of another one. Owned by the thread that made it; {@link #run} may be called again.
 */
final class FuzzRun {
  private static final int THREADS = 4;

  private final Endpoint proxy;
  private final Account hostile;
  private final Account honest;
  private final List<Conversation> conversations;
  private final AtomicLong nextSeed;
  private final List<String> failures = new ArrayList<>();

  private FuzzRun(
      Endpoint proxy,
      Account hostile,
      Account honest,
      List<Conversation> conversations,
      long firstSeed) {
    this.proxy = proxy;
    this.hostile = hostile;
    this.honest = honest;
    this.conversations = conversations;
    this.nextSeed = new AtomicLong(firstSeed);
  }

  /**
   * Records what is to be damaged.
   *
   * @param proxy where
   * @param hostile as whom the hostile clients come
   * @param honest as whom the honest one comes
   * @param firstSeed number of the first case; the others follow
   * @return the run
   */
  static FuzzRun prepare(Endpoint proxy, Account hostile, Account honest, long firstSeed) {
    try {
      return new FuzzRun(proxy, hostile, honest, DriverTraffic.record(proxy, hostile), firstSeed);
    } catch (SQLException | IOException e) {
      throw new BenchFailure("recording: " + e.getMessage(), e);
    }
  }

  /**
   * Runs a number of cases.
   *
   * @param cases how many
   */
  void run(long cases) {
    AtomicLong left = new AtomicLong(cases);
    run(() -> left.getAndDecrement() > 0);
  }

  /**
   * Runs cases for a time.
   *
   * @param seconds how long
   */
  void runFor(int seconds) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    run(() -> System.nanoTime() - deadlineNs < 0);
  }

  private void run(BooleanSupplier goOn) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
    try (HonestClient control = new HonestClient(proxy, honest)) {
      Future<?> answered = threads.submit(control);
      List<Future<?>> hostiles = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        hostiles.add(threads.submit(() -> work(() -> !control.failed() && goOn.getAsBoolean())));
      }
      for (Future<?> thread : hostiles) {
        thread.get();
      }
      control.close();
      answered.get();
      if (control.failed()) {
        fail("the honest client: " + control.failure());
      }
    } catch (ExecutionException e) {
      throw new BenchFailure("fuzzing stopped: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private void work(BooleanSupplier goOn) {
    while (goOn.getAsBoolean()) {
      long seed = nextSeed.getAndIncrement();
      try {
        new FuzzCase(seed, conversations).run(proxy, hostile);
      } catch (IOException | BenchFailure e) {
        fail("case " + seed + ": " + e.getMessage());
      }
    }
  }

  private synchronized void fail(String what) {
    failures.add(what);
  }

  /** What went wrong; each names the number of its case. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** The number of the case that would be next. */
  long nextSeed() {
    return nextSeed.get();
  }
}
