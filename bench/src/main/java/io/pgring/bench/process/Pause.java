package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;

/** Waiting on the main thread. Stateless. */
public final class Pause {
  private Pause() {}

  /**
   * Waits.
   *
   * @param millis how long
   * @throws BenchFailure when the thread is interrupted
   */
  public static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }
}
