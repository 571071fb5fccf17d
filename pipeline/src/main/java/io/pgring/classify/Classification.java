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

  // Session effects: what cannot be carried to another server connection ...

  private static final int EFFECTS_SHIFT = 14;

  /** LISTEN. */
  public static final long LISTENS = 1L << EFFECTS_SHIFT;

  /** Takes an advisory lock that outlives the transaction. */
  public static final long TAKES_SESSION_LOCK = LISTENS << 1;

  /** Makes, or names, something in the schema of temporary objects. */
  public static final long MAKES_TEMPORARY = LISTENS << 2;

  /** DECLARE ... WITH HOLD. */
  public static final long HOLDS_CURSOR = LISTENS << 3;

  /** PREPARE. */
  public static final long PREPARES = LISTENS << 4;

  /** Changes a setting that cannot follow the client, see {@link HeadReader}. */
  public static final long SETS_FOR_SESSION = LISTENS << 5;

  /** SET ROLE, SET SESSION AUTHORIZATION. */
  public static final long SETS_ROLE = LISTENS << 6;

  /** LOAD, which nothing undoes. */
  public static final long LOADS = LISTENS << 7;

  /** May do any of this, and more. */
  public static final long LEAVES_UNKNOWN = LISTENS << 8;

  // ... and what undoes all of a kind; never set together with one of the effects above, nor where
  // a transaction control statement is in the text too.

  /** UNLISTEN *. */
  public static final long UNLISTENS_ALL = LISTENS << 9;

  /** SELECT pg_advisory_unlock_all(), and nothing else. */
  public static final long UNLOCKS_ALL = LISTENS << 10;

  /** DISCARD TEMP. */
  public static final long DROPS_TEMPORARY = LISTENS << 11;

  /** CLOSE ALL. */
  public static final long CLOSES_ALL = LISTENS << 12;

  /** DEALLOCATE ALL. */
  public static final long DEALLOCATES_ALL = LISTENS << 13;

  /** RESET ALL. */
  public static final long RESETS_ALL = LISTENS << 14;

  /** Asks what nextval gave in this session, other than behind it in the same text. */
  public static final long READS_SEQUENCE_STATE = LISTENS << 15;

  /** SET search_path, which follows the client where the server reports it, from version 18 on. */
  public static final long SETS_SEARCH_PATH = LISTENS << 16;

  /** The part of SESSION_STATE that cannot be carried to another server connection. */
  public static final long PINS_SESSION = (LISTENS << 9) - LISTENS;

  /** What undoes such a part. */
  static final long UNDOES = (LISTENS << 15) - (LISTENS << 9);

  /** Bits of {@link #effects} that pin, counted from {@link #LISTENS}. */
  public static final int EFFECTS_PINNING = 0x1FF;

  /** Bit of {@link #effects} for {@link #READS_SEQUENCE_STATE}. */
  public static final int EFFECTS_SEQUENCE = 1 << 15;

  /** How far left of its cause a bit of {@link #effects} is that undoes it. */
  public static final int EFFECTS_UNDO_SHIFT = 9;

  /** What is assumed of a statement that was not understood. */
  static final long ANYTHING =
      NOT_UNDERSTOOD
          | MAY_COPY_IN
          | READS
          | WRITES
          | LOCKS
          | TRANSACTION_CONTROL
          | SESSION_STATE
          | LEAVES_UNKNOWN
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

  /** The session effects alone, 16 bits from {@link #LISTENS} on. */
  public static int effects(long summary) {
    return (int) (flags(summary) >>> EFFECTS_SHIFT) & 0xFFFF;
  }

  /** Number of statements that are not empty, at most 32767. */
  public static int statementCount(long summary) {
    return (int) (summary >>> COUNT_SHIFT);
  }
}
