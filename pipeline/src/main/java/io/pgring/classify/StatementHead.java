package io.pgring.classify;

import static io.pgring.classify.Classification.CHANGES_LEXING;
import static io.pgring.classify.Classification.DDL;
import static io.pgring.classify.Classification.LISTENS;
import static io.pgring.classify.Classification.LOADS;
import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.PREPARED_RESET;
import static io.pgring.classify.Classification.READS;
import static io.pgring.classify.Classification.REFUSES_TRANSACTION_BLOCK;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.TRANSACTION_CONTROL;
import static io.pgring.classify.Classification.WRITES;

import java.util.Arrays;

/**
 * What the first word of a statement says: its kind, unless later words refine it, and its least
 * effects. Constant; shared by all threads.
 */
final class StatementHead {
  private static final StatementKind[] KINDS = new StatementKind[Keyword.values().length];
  private static final long[] FLAGS = new long[KINDS.length];

  static {
    Arrays.fill(KINDS, StatementKind.UNKNOWN);
    queries();
    transactions();
    session();
    maintenance();
    for (Keyword keyword :
        new Keyword[] {
          Keyword.CREATE,
          Keyword.ALTER,
          Keyword.DROP,
          Keyword.COMMENT,
          Keyword.GRANT,
          Keyword.REVOKE,
          Keyword.SECURITY,
          Keyword.REASSIGN,
          Keyword.IMPORT,
          Keyword.REFRESH
        }) {
      head(keyword, StatementKind.DDL, DDL | WRITES);
    }
  }

  private StatementHead() {}

  private static void queries() {
    head(Keyword.SELECT, StatementKind.SELECT, READS);
    head(Keyword.VALUES, StatementKind.VALUES, READS);
    head(Keyword.TABLE, StatementKind.TABLE, READS);
    head(Keyword.WITH, StatementKind.WITH, READS);
    head(Keyword.INSERT, StatementKind.INSERT, WRITES);
    head(Keyword.UPDATE, StatementKind.UPDATE, READS | WRITES);
    head(Keyword.DELETE, StatementKind.DELETE, READS | WRITES);
    head(Keyword.MERGE, StatementKind.MERGE, READS | WRITES);
    head(Keyword.COPY, StatementKind.COPY_OTHER, 0);
    head(Keyword.EXPLAIN, StatementKind.EXPLAIN, READS);
    head(Keyword.DECLARE, StatementKind.DECLARE, READS);
    head(Keyword.FETCH, StatementKind.FETCH, READS);
    head(Keyword.MOVE, StatementKind.MOVE, READS);
    head(Keyword.CLOSE, StatementKind.CLOSE, 0);
    head(Keyword.TRUNCATE, StatementKind.TRUNCATE, WRITES | LOCKS);
    head(Keyword.LOCK, StatementKind.LOCK, WRITES | LOCKS);
  }

  private static void transactions() {
    head(Keyword.BEGIN, StatementKind.BEGIN, TRANSACTION_CONTROL);
    head(Keyword.START, StatementKind.START_TRANSACTION, TRANSACTION_CONTROL);
    head(Keyword.COMMIT, StatementKind.COMMIT, TRANSACTION_CONTROL);
    head(Keyword.END, StatementKind.END, TRANSACTION_CONTROL);
    head(Keyword.ROLLBACK, StatementKind.ROLLBACK, TRANSACTION_CONTROL);
    head(Keyword.ABORT, StatementKind.ABORT, TRANSACTION_CONTROL);
    head(Keyword.SAVEPOINT, StatementKind.SAVEPOINT, TRANSACTION_CONTROL);
    head(Keyword.RELEASE, StatementKind.RELEASE, TRANSACTION_CONTROL);
  }

  private static void session() {
    long opaque = READS | WRITES | CHANGES_LEXING;
    head(Keyword.SET, StatementKind.SET, 0);
    head(Keyword.RESET, StatementKind.RESET, SESSION_STATE);
    head(Keyword.SHOW, StatementKind.SHOW, READS);
    head(Keyword.DISCARD, StatementKind.DISCARD, SESSION_STATE);
    head(Keyword.PREPARE, StatementKind.PREPARE, 0);
    head(Keyword.EXECUTE, StatementKind.EXECUTE, opaque);
    head(Keyword.DEALLOCATE, StatementKind.DEALLOCATE, SESSION_STATE | PREPARED_RESET);
    head(Keyword.LISTEN, StatementKind.LISTEN, SESSION_STATE | LISTENS);
    head(Keyword.UNLISTEN, StatementKind.UNLISTEN, SESSION_STATE);
    head(Keyword.NOTIFY, StatementKind.NOTIFY, WRITES);
    head(Keyword.LOAD, StatementKind.LOAD, SESSION_STATE | LOADS);
    head(Keyword.DO, StatementKind.DO, opaque | SESSION_STATE);
    head(Keyword.CALL, StatementKind.CALL, opaque | SESSION_STATE);
  }

  private static void maintenance() {
    head(Keyword.VACUUM, StatementKind.VACUUM, WRITES | REFUSES_TRANSACTION_BLOCK);
    head(Keyword.ANALYZE, StatementKind.ANALYZE, WRITES);
    head(Keyword.ANALYSE, StatementKind.ANALYZE, WRITES);
    head(Keyword.CLUSTER, StatementKind.CLUSTER, WRITES | REFUSES_TRANSACTION_BLOCK);
    head(Keyword.REINDEX, StatementKind.REINDEX, WRITES | REFUSES_TRANSACTION_BLOCK);
    head(Keyword.CHECKPOINT, StatementKind.CHECKPOINT, WRITES);
  }

  private static void head(Keyword keyword, StatementKind kind, long flags) {
    KINDS[keyword.ordinal()] = kind;
    FLAGS[keyword.ordinal()] = flags;
  }

  /** {@link StatementKind#UNKNOWN} for a word that begins no statement. */
  static StatementKind kind(Keyword keyword) {
    return KINDS[keyword.ordinal()];
  }

  static long flags(Keyword keyword) {
    return FLAGS[keyword.ordinal()];
  }
}
