package io.pgring.admin;

/** A command that cannot be run, as its client is told. */
final class ConsoleError extends RuntimeException {
  private final String sqlState;
  private final String hint;

  /**
   * @param hint null for none
   */
  ConsoleError(String sqlState, String message, String hint) {
    super(message, null, false, false);
    this.sqlState = sqlState;
    this.hint = hint;
  }

  String sqlState() {
    return sqlState;
  }

  String hint() {
    return hint;
  }
}
