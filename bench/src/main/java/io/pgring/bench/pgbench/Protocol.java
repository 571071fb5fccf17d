package io.pgring.bench.pgbench;

import java.util.Locale;

/** How pgbench sends its queries (its option -M). */
public enum Protocol {
  /** Query messages. */
  SIMPLE,
  /** Parse, Bind, Execute with the unnamed statement. */
  EXTENDED,
  /** Bind, Execute with statements that were named and parsed once. */
  PREPARED;

  /**
   * @return the name on the command line, in reports and for pgbench
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
