package io.pgring.config;

/** When a server connection goes back to its pool. The names in lower case are PgBouncer's. */
public enum PoolMode {
  /** When the client disconnects. */
  SESSION,
  /** At the end of each transaction. */
  TRANSACTION,
  /** After each statement; transactions of several statements are refused. */
  STATEMENT
}
