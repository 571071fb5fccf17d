package io.pgring.classify;

/**
 * The result of classifying a text as one long, so that it can travel in a ring event: 8 bits of
 * {@link StatementKind} code, 40 bits of flags, 15 bits of statement count. 0 is a text without a
 * statement. Flags say what a text may do, never what it surely does; what functions and views do
 * behind their names is not in them.
 */
public final class Classification {
  /** A statement is COPY ... FROM STDIN. */
  public static final long MAY_COPY_IN = 1L;

  /** Reads rows or settings. */
  public static final long READS = 1L << 1;

  /** Changes data, or does something else that only a primary takes. */
  public static final long WRITES = 1L << 2;

  /** Locks rows or tables: FOR UPDATE, FOR SHARE, LOCK, advisory locks. */
  public static final long LOCKS = 1L << 3;

  /** Begins, ends or marks a transaction. */
  public static final long TRANSACTION_CONTROL = 1L << 4;

  /**
   * Leaves something behind in the session: settings, prepared statements, cursors, temporary
   * tables, session locks.
   */
  public static final long SESSION_STATE = 1L << 5;

  /** PostgreSQL may refuse it inside a transaction block. */
  public static final long REFUSES_TRANSACTION_BLOCK = 1L << 6;

  /** Changes definitions. */
  public static final long DDL = 1L << 7;

  /** More than one statement. */
  public static final long MULTI = 1L << 8;

  /** The text was not understood, or not inspected; all flags that say "may" are set with it. */
  public static final long NOT_UNDERSTOOD = 1L << 9;

  /**
   * May change standard_conforming_strings or client_encoding, and so how later texts are to be
   * read.
   */
  public static final long CHANGES_LEXING = 1L << 10;

  /** Drops statements that the session prepared: DEALLOCATE, DISCARD ALL. */
  public static final long PREPARED_RESET = 1L << 11;

  /** The text ends inside a string, quoted identifier or comment, so PostgreSQL refuses it. */
  public static final long UNTERMINATED = 1L << 12;

  /** Another standard_conforming_strings or client_encoding would read this text differently. */
  public static final long DEPENDS_ON_LEXING = 1L << 13;

  /**
   * The part of SESSION_STATE that cannot be carried to another server connection: LISTEN, session
   * advisory locks, temporary tables, WITH HOLD cursors, PREPARE, LOAD.
   */
  public static final long PINS_SESSION = 1L << 14;

  /** What is assumed of a statement that was not understood. */
  static final long ANYTHING =
      NOT_UNDERSTOOD
          | MAY_COPY_IN
          | READS
          | WRITES
          | LOCKS
          | TRANSACTION_CONTROL
          | SESSION_STATE
          | PINS_SESSION
          | REFUSES_TRANSACTION_BLOCK
          | DDL
          | CHANGES_LEXING
          | PREPARED_RESET;

  /** Summary of a text that nobody looked at: too long, or in an encoding that is not known. */
  public static final long NOT_INSPECTED =
      summary(StatementKind.UNKNOWN.code(), ANYTHING | DEPENDS_ON_LEXING, 1);

  private static final int FLAGS_SHIFT = 8;
  private static final long FLAGS_MASK = (1L << 40) - 1;
  private static final int COUNT_SHIFT = 48;
  private static final int COUNT_MAX = 0x7FFF;

  private Classification() {}

  static long summary(byte kind, long flags, int statementCount) {
    return (long) Math.min(statementCount, COUNT_MAX) << COUNT_SHIFT | flags << FLAGS_SHIFT | kind;
  }

  /** Kind of the single statement, {@link StatementKind#MULTI} or {@link StatementKind#EMPTY}. */
  public static StatementKind kind(long summary) {
    return StatementKind.of((byte) summary);
  }

  /** All flags. */
  public static long flags(long summary) {
    return summary >>> FLAGS_SHIFT & FLAGS_MASK;
  }

  /** True when any of the flags is set. */
  public static boolean has(long summary, long flags) {
    return (flags(summary) & flags) != 0;
  }

  /** Number of statements that are not empty, at most 32767. */
  public static int statementCount(long summary) {
    return (int) (summary >>> COUNT_SHIFT);
  }
}
