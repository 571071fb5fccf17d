package io.pgring.classify;

import org.agrona.DirectBuffer;

/**
 * Says what the statements of a text are and may do, in one pass over its bytes. The boundaries are
 * those of PostgreSQL's grammar. A text that PostgreSQL would refuse as a whole may get any answer
 * that is cautious. Reusable; one thread at a time; keeps nothing of the text.
 */
public final class StatementClassifier {
  private final StatementCursor cursor = new StatementCursor();
  private final HeadReader heads = new HeadReader(cursor);

  private byte kind = StatementKind.EMPTY.code();
  private long flags;
  private int statementCount;
  private boolean unterminated;

  // The statement that was read last.
  private byte statementKind;
  private int statementOffset;
  private int statementEnd;

  /**
   * Classifies a text; the accessors then tell the result until the next call.
   *
   * @param length bytes, without the terminating zero of the message
   * @param standardConformingStrings the session's setting
   * @param encoding the session's client_encoding
   * @return {@link #summary()}
   */
  public long classify(
      DirectBuffer buffer,
      int offset,
      int length,
      boolean standardConformingStrings,
      ClientEncoding encoding) {
    if (!encoding.inspectable()) {
      kind = StatementKind.UNKNOWN.code();
      flags = Classification.flags(Classification.NOT_INSPECTED);
      statementCount = 1;
      unterminated = false;
      return summary();
    }
    begin(buffer, offset, length, standardConformingStrings, encoding);
    while (nextStatement()) {
      kind = statementCount == 1 ? statementKind : StatementKind.MULTI.code();
    }
    conclude();
    return summary();
  }

  /** The result as one long, see {@link Classification}. */
  public long summary() {
    return Classification.summary(kind, flags, statementCount);
  }

  /** Statements that are not empty. */
  public int statementCount() {
    return statementCount;
  }

  /** No statement: the server answers EmptyQueryResponse. */
  public boolean empty() {
    return statementCount == 0;
  }

  /** The text ends inside a string, quoted identifier or comment. */
  public boolean unterminated() {
    return unterminated;
  }

  /** Kind of the single statement, {@link StatementKind#MULTI} or {@link StatementKind#EMPTY}. */
  public StatementKind kind() {
    return StatementKind.of(kind);
  }

  /** Flags of all statements together, see {@link Classification}. */
  public long flags() {
    return flags;
  }

  void begin(
      DirectBuffer buffer,
      int offset,
      int length,
      boolean standardConformingStrings,
      ClientEncoding encoding) {
    cursor.wrap(buffer, offset, length, standardConformingStrings, encoding);
    kind = StatementKind.EMPTY.code();
    statementCount = 0;
  }

  /**
   * Reads the next statement that is not empty.
   *
   * @return false at the end of the text
   */
  boolean nextStatement() {
    if (!cursor.beginStatement()) {
      return false;
    }
    statementCount++;
    statementOffset = cursor.tokenOffset();
    statementKind = heads.read().code();
    cursor.finishStatement();
    statementEnd = cursor.tokenOffset();
    return true;
  }

  /** Kind of the statement that {@link #nextStatement} has read. */
  StatementKind statementKind() {
    return StatementKind.of(statementKind);
  }

  /** Index of that statement's first token. */
  int statementOffset() {
    return statementOffset;
  }

  /** Index of the semicolon behind that statement, or of the end of the text. */
  int statementEnd() {
    return statementEnd;
  }

  private void conclude() {
    unterminated = cursor.unterminated();
    if (unterminated) {
      cursor.addFlags(Classification.UNTERMINATED);
    }
    if (unterminated || cursor.suspect()) {
      cursor.notUnderstood();
    }
    if (statementCount > 1) {
      cursor.addFlags(Classification.MULTI);
    }
    if (cursor.dependsOnSettings()) {
      cursor.addFlags(Classification.DEPENDS_ON_LEXING);
    }
    cursor.conclude();
    flags = withoutDoubtfulEffects(cursor.flags());
  }

  /**
   * What a text undoes counts only where it does nothing else that matters, since the order of its
   * statements is not known here; and what a prepared statement leaves behind at each EXECUTE,
   * nothing shows.
   */
  private static long withoutDoubtfulEffects(long flags) {
    long known = flags;
    if ((flags & Classification.MULTI) != 0) {
      // An INSERT may call nextval by a column's default.
      known &= ~Classification.READS_SEQUENCE_STATE;
    }
    if ((flags
            & (Classification.PINS_SESSION
                | Classification.SETS_SEARCH_PATH
                | Classification.TRANSACTION_CONTROL))
        != 0) {
      known &= ~Classification.UNDOES;
    }
    if ((flags & Classification.PREPARES) != 0
        && (flags & Classification.PINS_SESSION & ~Classification.PREPARES) != 0) {
      known |= Classification.LEAVES_UNKNOWN;
    }
    return known;
  }
}
