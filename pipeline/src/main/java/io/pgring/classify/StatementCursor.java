package io.pgring.classify;

import static io.pgring.classify.Classification.DDL;
import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.PINS_SESSION;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.WRITES;

import org.agrona.DirectBuffer;

/**
 * Walks over the tokens of a text statement by statement: knows where one ends, and collects the
 * effects of the words it passes. A semicolon ends a statement except inside parentheses (CREATE
 * RULE) and inside the BEGIN ATOMIC body of a routine. Part of a {@link StatementClassifier}, on
 * its thread.
 */
final class StatementCursor {
  private final SqlLexer lexer = new SqlLexer();

  private long flags;
  private int token;
  private int previousToken;
  private Keyword keyword;
  private Keyword previous;
  private Keyword beforePrevious;

  // Of the current statement.
  private int depth;
  private boolean routine;
  private boolean atomicBody;
  private boolean rule;

  void wrap(
      DirectBuffer buffer,
      int offset,
      int length,
      boolean standardConformingStrings,
      ClientEncoding encoding) {
    lexer.wrap(buffer, offset, length, standardConformingStrings, encoding);
    flags = 0;
    token = Token.SEMICOLON;
    keyword = Keyword.NONE;
    previous = Keyword.NONE;
  }

  /**
   * Moves to the first token of the next statement that is not empty.
   *
   * @return false at the end of the text
   */
  boolean beginStatement() {
    depth = 0;
    routine = false;
    atomicBody = false;
    rule = false;
    while (token == Token.SEMICOLON) {
      readToken();
    }
    return token != Token.END;
  }

  /** Moves to the semicolon behind the statement, or to the end of the text. */
  void finishStatement() {
    while (!atEnd()) {
      readToken();
    }
    if (depth != 0 || atomicBody) {
      notUnderstood();
    }
  }

  /** Moves on, but never over the end of the statement. */
  void advance() {
    if (!atEnd()) {
      readToken();
    }
  }

  /** The current token is not part of the statement any more. */
  boolean atEnd() {
    return token == Token.END || token == Token.SEMICOLON && depth == 0 && !atomicBody;
  }

  int token() {
    return token;
  }

  /** The current token as a keyword, {@link Keyword#NONE} when it is quoted or something else. */
  Keyword keyword() {
    return keyword;
  }

  Keyword previousKeyword() {
    return previous;
  }

  /** The current token as a name, quoted or not. */
  Keyword name() {
    return lexer.word();
  }

  int tokenOffset() {
    return lexer.tokenOffset();
  }

  /** Open parentheses. */
  int depth() {
    return depth;
  }

  /** The statement creates a function or procedure, which may have a BEGIN ATOMIC body. */
  void createsRoutine() {
    routine = true;
  }

  /** The statement creates a rule, which may have several statements in parentheses. */
  void createsRule() {
    rule = true;
  }

  boolean unterminated() {
    return lexer.unterminated();
  }

  boolean suspect() {
    return lexer.suspect();
  }

  boolean dependsOnSettings() {
    return lexer.dependsOnSettings();
  }

  long flags() {
    return flags;
  }

  void addFlags(long more) {
    flags |= more;
  }

  void notUnderstood() {
    flags |= Classification.ANYTHING;
  }

  private void readToken() {
    previousToken = token;
    beforePrevious = previous;
    previous = keyword;
    token = lexer.next();
    keyword = Keyword.NONE;
    switch (token) {
      case Token.IDENTIFIER:
        onWord(lexer.word());
        break;
      case Token.QUOTED_IDENTIFIER:
        flags |= lexer.word().effects;
        break;
      case Token.UNICODE_IDENTIFIER:
        flags |= Keyword.EFFECTS_OF_ANY_NAME;
        break;
      case Token.LEFT_PARENTHESIS:
        depth++;
        break;
      case Token.RIGHT_PARENTHESIS:
        closeParenthesis();
        break;
      case Token.SEMICOLON:
        if (depth > 0 && !rule && !atomicBody) {
          notUnderstood();
        }
        break;
      default:
        break;
    }
  }

  private void closeParenthesis() {
    if (--depth < 0) {
      depth = 0;
      notUnderstood();
    }
  }

  private void onWord(Keyword word) {
    flags |= word.effects;
    // Behind a dot even a reserved word is only a name: COPY s.from FROM STDIN.
    if (word != Keyword.NONE && previousToken != Token.DOT) {
      keyword = word;
      onKeyword();
    }
  }

  /** Effects of a keyword wherever it stands; too many are assumed rather than too few. */
  private void onKeyword() {
    switch (keyword) {
      case INSERT:
      case UPDATE:
      case DELETE:
      case MERGE:
        onWriteKeyword();
        break;
      case SHARE:
        if (previous == Keyword.FOR || previous == Keyword.KEY) {
          flags |= LOCKS;
        }
        break;
      case INTO:
        if (previous != Keyword.INSERT && previous != Keyword.MERGE) {
          flags |= WRITES | DDL;
        }
        break;
      case TEMP:
      case TEMPORARY:
        onTemporary();
        break;
      case ATOMIC:
        atomicBody |= routine && depth == 0 && previous == Keyword.BEGIN;
        break;
      case END:
        if (depth == 0 && (previousToken == Token.SEMICOLON || previous == Keyword.ATOMIC)) {
          atomicBody = false;
        }
        break;
      default:
        break;
    }
  }

  private void onWriteKeyword() {
    boolean lockingClause =
        keyword == Keyword.UPDATE
            && (previous == Keyword.FOR || previous == Keyword.KEY && beforePrevious == Keyword.NO);
    flags |= lockingClause ? LOCKS : WRITES;
  }

  private void onTemporary() {
    switch (previous) {
      case CREATE:
      case REPLACE:
      case LOCAL:
      case GLOBAL:
      case INTO:
        flags |= SESSION_STATE | PINS_SESSION;
        break;
      default:
        break;
    }
  }
}
