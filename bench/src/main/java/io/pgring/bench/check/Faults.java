package io.pgring.bench.check;

import io.pgring.bench.process.Daemon;
import java.util.List;

/** What a proxy logs only when it has a defect. Stateless. */
public final class Faults {
  private static final int SHOWN = 20;

  private Faults() {}

  /**
   * Prints the first lines that show a defect.
   *
   * @param proxy the program
   * @return whether there are none
   */
  public static boolean none(Daemon proxy) {
    List<String> lines = in(proxy.log());
    lines.stream().limit(SHOWN).forEach(line -> System.out.println("  in the log: " + line));
    return lines.isEmpty();
  }

  /**
   * @param log lines of a log
   * @return those that report a fault, or belong to the stack trace of one
   */
  public static List<String> in(String log) {
    return log.lines()
        .filter(
            line ->
                line.contains("unexpected fault")
                    || line.contains("Exception")
                    || line.contains("Error:")
                    || line.contains("does not answer")
                    || line.startsWith("\tat "))
        .toList();
  }
}
