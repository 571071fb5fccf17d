package io.pgring.classify;

/**
 * What a statement is, by its first words. The code is what summaries carry; it may change from one
 * version to the next.
 */
public enum StatementKind {
  /** No statement at all: spaces, comments, semicolons. */
  EMPTY,
  SELECT,
  VALUES,
  TABLE,
  /** Begins with WITH; whether it writes is in the flags. */
  WITH,
  INSERT,
  UPDATE,
  DELETE,
  MERGE,
  BEGIN,
  START_TRANSACTION,
  COMMIT,
  END,
  ROLLBACK,
  ABORT,
  ROLLBACK_TO,
  SAVEPOINT,
  RELEASE,
  PREPARE_TRANSACTION,
  COMMIT_PREPARED,
  ROLLBACK_PREPARED,
  SET,
  /** SET LOCAL of any setting, role and session authorization included. */
  SET_LOCAL,
  SET_TRANSACTION,
  SET_SESSION_CHARACTERISTICS,
  SET_ROLE,
  SET_SESSION_AUTHORIZATION,
  SET_CONSTRAINTS,
  RESET,
  SHOW,
  DISCARD,
  DEALLOCATE,
  PREPARE,
  EXECUTE,
  DECLARE,
  FETCH,
  MOVE,
  CLOSE,
  COPY_FROM_STDIN,
  COPY_TO_STDOUT,
  /** COPY from or to a file or program of the server. */
  COPY_OTHER,
  LISTEN,
  UNLISTEN,
  NOTIFY,
  LOCK,
  DO,
  CALL,
  EXPLAIN,
  VACUUM,
  ANALYZE,
  CLUSTER,
  REINDEX,
  CHECKPOINT,
  LOAD,
  TRUNCATE,
  /** CREATE, ALTER, DROP, COMMENT, GRANT, REVOKE and the rest that changes definitions. */
  DDL,
  /** More than one statement. */
  MULTI,
  /** None of PostgreSQL's statements begins like this, or nobody looked. */
  UNKNOWN;

  private static final StatementKind[] BY_CODE = values();

  /** The code that summaries carry. */
  public byte code() {
    return (byte) ordinal();
  }

  /**
   * The kind of a code.
   *
   * @return {@link #UNKNOWN} for a code that no kind has
   */
  public static StatementKind of(byte code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
  }
}
