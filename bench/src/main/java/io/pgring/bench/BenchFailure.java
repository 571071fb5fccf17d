package io.pgring.bench;

/** Ends a run with one line for the person at the terminal; a stack trace would tell no more. */
public final class BenchFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what failed and, where there is one, the cure
   */
  public BenchFailure(String message) {
    super(message);
  }

  /**
   * @param message what failed
   * @param cause why
   */
  public BenchFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
