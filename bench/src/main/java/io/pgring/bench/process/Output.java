package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;
import java.util.List;

/**
 * What a finished program left behind. Immutable.
 *
 * @param command the program and its arguments
 * @param exitStatus its exit status; 128 plus the signal's number when a signal ended it
 * @param text standard output and standard error, in the order written
 */
public record Output(List<String> command, int exitStatus, String text) {
  private static final int SHOWN_CHARACTERS = 1_500;

  /**
   * @return this output
   * @throws BenchFailure with the end of the text when the program did not exit with 0
   */
  public Output orFail() {
    if (exitStatus != 0) {
      throw new BenchFailure(
          command.get(0) + " ended with status " + exitStatus + ":\n" + tail(text));
    }
    return this;
  }

  /**
   * @param text any text
   * @return its last lines, as much as fits an error message
   */
  public static String tail(String text) {
    String trimmed = text.strip();
    return trimmed.length() <= SHOWN_CHARACTERS
        ? trimmed
        : trimmed.substring(trimmed.length() - SHOWN_CHARACTERS);
  }
}
