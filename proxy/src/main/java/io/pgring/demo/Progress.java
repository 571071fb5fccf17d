package io.pgring.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** Tells the user what is being done and how long it took, one line a step. Used by one thread. */
final class Progress {
  private final PrintWriter out;

  Progress(PrintWriter out) {
    this.out = out;
  }

  /** Something that may fail. */
  interface Step<T> {
    T run() throws Exception;
  }

  /** Runs a step between the beginning and the end of its line. */
  <T> T step(String name, Step<T> step) throws Exception {
    long startNs = System.nanoTime();
    out.print(name + " ... ");
    out.flush();
    try {
      T result = step.run();
      out.printf(Locale.ROOT, "%.1f s%n", (System.nanoTime() - startNs) / 1e9);
      return result;
    } catch (Exception e) {
      out.println("failed");
      throw e;
    } finally {
      out.flush();
    }
  }

  /** One line. */
  void line(String text) {
    out.println(text);
    out.flush();
  }
}
