package io.pgring.bench.pgbench;

import java.util.List;

/** The transaction that pgbench runs. */
public enum Mode {
  /** One SELECT by primary key. */
  S(List.of("-S")),
  /** The five statements of TPC-B in a transaction. */
  TPCB(List.of());

  private final List<String> options;

  Mode(List<String> options) {
    this.options = options;
  }

  List<String> options() {
    return options;
  }

  /**
   * @return the name on the command line and in reports
   */
  public String label() {
    return this == S ? "S" : "tpcb";
  }
}
