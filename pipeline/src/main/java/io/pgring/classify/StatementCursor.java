package io.pgring.classify;

import static io.pgring.classify.Classification.DDL;
import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.MAKES_TEMPORARY;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.SETS_FOR_SESSION;
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

  /**
   * Ordinals of the keywords that the last eight tokens are, one a byte, the current one lowest.
   */
  private long words;

  // Of the current statement.
  private int depth;
  private boolean routine;
  private boolean atomicBody;
  private boolean rule;

  // set_config(name, value, is_local): outlives the transaction unless is_local is surely true.
  private int setConfigCalls;
  private int setConfigLocalCalls;
  private int setConfigDepth;
  private int setConfigCommas;
  private boolean setConfigIsLocal;
  private boolean settingsView;

  // currval and lastval, which need the nextval of before.
  private boolean sequenceRead;
  private boolean sequenceMoved;

  void wrap(
      DirectBuffer buffer,
      int offset,
      int length,
      boolean standardConformingStrings,
      ClientEncoding encoding) {
    lexer.wrap(buffer, offset, length, standardConformingStrings, encoding);
    flags = 0;
    token = Token.SEMICOLON;
    words = 0;
    setConfigCalls = 0;
    setConfigLocalCalls = 0;
    settingsView = false;
    sequenceRead = false;
    sequenceMoved = false;
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
    setConfigDepth = 0;
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
    return Keyword.of(ordinal(0));
  }

  Keyword previousKeyword() {
    return Keyword.of(ordinal(1));
  }

  /** The current token as a name, quoted or not. */
  Keyword name() {
    return Keyword.of(lexer.word());
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

  /** Effects that show only when the whole text was seen. */
  void conclude() {
    if (setConfigCalls > setConfigLocalCalls
        || settingsView && (flags & Classification.WRITES) != 0) {
      flags |= SETS_FOR_SESSION;
    }
    if (sequenceRead && !sequenceMoved) {
      flags |= Classification.READS_SEQUENCE_STATE;
    }
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
    words <<= Byte.SIZE;
    boolean afterIsLocal = setConfigIsLocal;
    setConfigIsLocal = false;
    token = lexer.next();
    switch (token) {
      case Token.IDENTIFIER:
        onWord(lexer.word());
        break;
      case Token.QUOTED_IDENTIFIER:
        onName(Keyword.of(lexer.word()));
        break;
      case Token.UNICODE_IDENTIFIER:
        flags |= Keyword.EFFECTS_OF_ANY_NAME;
        break;
      case Token.LEFT_PARENTHESIS:
        depth++;
        break;
      case Token.RIGHT_PARENTHESIS:
        setConfigLocalCalls += afterIsLocal ? 1 : 0;
        closeParenthesis();
        break;
      case Token.COMMA:
        setConfigCommas += depth == setConfigDepth ? 1 : 0;
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

  private void onWord(int word) {
    if (word != 0) {
      Keyword keyword = Keyword.of(word);
      onName(keyword);
      // Behind a dot even a reserved word is only a name: COPY s.from FROM STDIN.
      if (previousToken != Token.DOT) {
        words |= word;
        onKeyword(keyword);
      }
    }
  }

  /** Effects of what is named, quoted or not. */
  private void onName(Keyword name) {
    flags |= name.effects;
    switch (name) {
      case SET_CONFIG:
        setConfigCalls++;
        setConfigDepth = depth + 1;
        setConfigCommas = 0;
        break;
      case PG_SETTINGS:
        settingsView = true;
        break;
      case CURRVAL:
      case LASTVAL:
        sequenceRead = true;
        break;
      case NEXTVAL:
      case SETVAL:
        sequenceMoved = true;
        break;
      default:
        break;
    }
  }

  /** Effects of a keyword wherever it stands; too many are assumed rather than too few. */
  private void onKeyword(Keyword keyword) {
    switch (keyword) {
      case UPDATE:
        flags |= isLockingClause() ? LOCKS : WRITES;
        break;
      case INSERT:
      case DELETE:
      case MERGE:
        flags |= WRITES;
        break;
      case SHARE:
        if (previousIs(Keyword.FOR) || previousIs(Keyword.KEY)) {
          flags |= LOCKS;
        }
        break;
      case INTO:
        if (!previousIs(Keyword.INSERT) && !previousIs(Keyword.MERGE)) {
          flags |= WRITES | DDL;
        }
        break;
      case TEMP:
      case TEMPORARY:
        onTemporary();
        break;
      case TRUE:
        setConfigIsLocal =
            depth == setConfigDepth && setConfigCommas == 2 && previousToken == Token.COMMA;
        break;
      case ATOMIC:
        atomicBody |= routine && depth == 0 && previousIs(Keyword.BEGIN);
        break;
      case END:
        if (depth == 0 && (previousToken == Token.SEMICOLON || previousIs(Keyword.ATOMIC))) {
          atomicBody = false;
        }
        break;
      default:
        break;
    }
  }

  /** FOR UPDATE, FOR NO KEY UPDATE. */
  private boolean isLockingClause() {
    return previousIs(Keyword.FOR) || previousIs(Keyword.KEY) && ordinal(2) == Keyword.NO.ordinal();
  }

  private void onTemporary() {
    switch (previousKeyword()) {
      case CREATE:
      case REPLACE:
      case LOCAL:
      case GLOBAL:
      case INTO:
        flags |= SESSION_STATE | MAKES_TEMPORARY;
        break;
      default:
        break;
    }
  }

  private boolean previousIs(Keyword keyword) {
    return ordinal(1) == keyword.ordinal();
  }

  private int ordinal(int tokensBack) {
    return (int) (words >>> tokensBack * Byte.SIZE) & 0xFF;
  }
}
