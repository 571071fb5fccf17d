package io.pgring.bench.check;

/**
 * A check that is run by name. Implementations are stateless between runs, print what they find,
 * and stop all that they started; they run on the main thread.
 */
public interface LongCheck {
  /**
   * @return the word that runs it
   */
  String name();

  /**
   * @return one line: what holds when it passes
   */
  String purpose();

  /**
   * Runs the check.
   *
   * @param args what followed the name
   * @return 0 when the condition holds, else 1
   * @throws Exception when it could not be run; also counts as a failure
   */
  int run(String... args) throws Exception;
}
