package io.pgring.classify;

import static io.pgring.classify.Classification.CHANGES_LEXING;
import static io.pgring.classify.Classification.MAY_COPY_IN;
import static io.pgring.classify.Classification.PINS_SESSION;
import static io.pgring.classify.Classification.PREPARED_RESET;
import static io.pgring.classify.Classification.READS;
import static io.pgring.classify.Classification.REFUSES_TRANSACTION_BLOCK;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.TRANSACTION_CONTROL;
import static io.pgring.classify.Classification.WRITES;

/**
 * Reads as many of a statement's first words as it takes to tell its kind, and adds the effects of
 * that kind. Part of a {@link StatementClassifier}, on its thread.
 */
final class HeadReader {
  private final StatementCursor cursor;
  private StatementKind kind;

  HeadReader(StatementCursor cursor) {
    this.cursor = cursor;
  }

  /** Reads the first words of the statement that the cursor is at. */
  StatementKind read() {
    boolean parenthesized = cursor.token() == Token.LEFT_PARENTHESIS;
    while (cursor.token() == Token.LEFT_PARENTHESIS) {
      cursor.advance();
    }
    kind = StatementHead.kind(cursor.keyword());
    cursor.addFlags(StatementHead.flags(cursor.keyword()));
    if (kind == StatementKind.UNKNOWN || parenthesized && !beginsQuery()) {
      kind = StatementKind.UNKNOWN;
      cursor.notUnderstood();
    } else {
      refine();
    }
    return kind;
  }

  private boolean beginsQuery() {
    switch (cursor.keyword()) {
      case SELECT:
      case VALUES:
      case TABLE:
      case WITH:
        return true;
      default:
        return false;
    }
  }

  private void refine() {
    switch (kind) {
      case COMMIT:
        cursor.advance();
        if (cursor.keyword() == Keyword.PREPARED) {
          endPrepared(StatementKind.COMMIT_PREPARED);
        }
        break;
      case ROLLBACK:
        rollback();
        break;
      case PREPARE:
        prepare();
        break;
      case SET:
        set();
        break;
      case RESET:
        cursor.advance();
        if (cursor.keyword() == Keyword.ALL) {
          cursor.addFlags(CHANGES_LEXING);
        }
        break;
      case DISCARD:
        discard();
        break;
      case COPY_OTHER:
        copy();
        break;
      case EXPLAIN:
        explain();
        break;
      case DECLARE:
        declare();
        break;
      case DDL:
        definition();
        break;
      default:
        break;
    }
  }

  private void endPrepared(StatementKind refined) {
    kind = refined;
    cursor.addFlags(WRITES | REFUSES_TRANSACTION_BLOCK);
  }

  private void rollback() {
    cursor.advance();
    if (cursor.keyword() == Keyword.PREPARED) {
      endPrepared(StatementKind.ROLLBACK_PREPARED);
      return;
    }
    if (cursor.keyword() == Keyword.WORK || cursor.keyword() == Keyword.TRANSACTION) {
      cursor.advance();
    }
    if (cursor.keyword() == Keyword.TO) {
      kind = StatementKind.ROLLBACK_TO;
    }
  }

  /** PREPARE TRANSACTION 'gid', or a statement, whose name may well be "transaction". */
  private void prepare() {
    cursor.advance();
    if (cursor.keyword() == Keyword.TRANSACTION) {
      cursor.advance();
      if (cursor.token() == Token.STRING) {
        kind = StatementKind.PREPARE_TRANSACTION;
        cursor.addFlags(TRANSACTION_CONTROL | WRITES);
        return;
      }
    }
    cursor.addFlags(SESSION_STATE | PINS_SESSION);
  }

  private void discard() {
    cursor.advance();
    if (cursor.keyword() == Keyword.ALL) {
      cursor.addFlags(REFUSES_TRANSACTION_BLOCK | CHANGES_LEXING | PREPARED_RESET);
    }
  }

  private void copy() {
    do {
      cursor.advance();
    } while (!cursor.atEnd()
        && (cursor.depth() > 0
            || cursor.keyword() != Keyword.FROM && cursor.keyword() != Keyword.TO));
    boolean from = cursor.keyword() == Keyword.FROM;
    if (cursor.atEnd()) {
      cursor.notUnderstood();
      return;
    }
    cursor.advance();
    // FROM STDOUT means the client too.
    if (cursor.keyword() != Keyword.STDIN && cursor.keyword() != Keyword.STDOUT) {
      cursor.addFlags(READS | WRITES);
    } else if (from) {
      kind = StatementKind.COPY_FROM_STDIN;
      cursor.addFlags(WRITES | MAY_COPY_IN);
    } else {
      kind = StatementKind.COPY_TO_STDOUT;
      cursor.addFlags(READS);
    }
  }

  /** Adds the effects of the statement that is explained, whether it is run or only planned. */
  private void explain() {
    cursor.advance();
    if (cursor.token() == Token.LEFT_PARENTHESIS) {
      do {
        cursor.advance();
      } while (cursor.depth() > 0 && cursor.token() != Token.END);
      cursor.advance();
    } else {
      while (cursor.keyword() == Keyword.ANALYZE
          || cursor.keyword() == Keyword.ANALYSE
          || cursor.keyword() == Keyword.VERBOSE) {
        cursor.advance();
      }
    }
    cursor.addFlags(StatementHead.flags(cursor.keyword()));
  }

  private void declare() {
    do {
      cursor.advance();
      if (cursor.keyword() == Keyword.HOLD && cursor.previousKeyword() == Keyword.WITH) {
        cursor.addFlags(SESSION_STATE | PINS_SESSION);
      }
    } while (cursor.keyword() != Keyword.FOR && !cursor.atEnd());
  }

  private void definition() {
    Keyword verb = cursor.keyword();
    cursor.advance();
    if (verb == Keyword.CREATE && cursor.keyword() == Keyword.OR) {
      cursor.advance();
      cursor.advance();
    }
    switch (cursor.keyword()) {
      case FUNCTION:
      case PROCEDURE:
        if (verb == Keyword.CREATE) {
          cursor.createsRoutine();
        }
        break;
      case RULE:
        if (verb == Keyword.CREATE) {
          cursor.createsRule();
        }
        break;
      case DATABASE:
      case SUBSCRIPTION:
      case SYSTEM:
      case TABLESPACE:
        cursor.addFlags(REFUSES_TRANSACTION_BLOCK);
        break;
      default:
        break;
    }
  }

  /**
   * SET [SESSION | LOCAL] of many forms; SESSION, LOCAL, ROLE and so on may be the names of
   * settings too.
   */
  private void set() {
    cursor.advance();
    boolean local = cursor.keyword() == Keyword.LOCAL;
    boolean session = cursor.keyword() == Keyword.SESSION;
    if (local || session) {
      cursor.advance();
      if (continuesName()) {
        setting(StatementKind.SET, false);
        return;
      }
    }
    if (cursor.keyword() == Keyword.SESSION) {
      session = true;
      cursor.advance();
    }
    if (session && cursor.keyword() == Keyword.CHARACTERISTICS) {
      setting(StatementKind.SET_SESSION_CHARACTERISTICS, local);
    } else if (session && cursor.keyword() == Keyword.AUTHORIZATION) {
      setting(StatementKind.SET_SESSION_AUTHORIZATION, local);
    } else {
      namedSetting(local);
    }
  }

  private boolean continuesName() {
    return cursor.token() == Token.DOT
        || cursor.token() == Token.OPERATOR
        || cursor.keyword() == Keyword.TO;
  }

  private void namedSetting(boolean local) {
    Keyword name = cursor.name();
    cursor.advance();
    if (cursor.token() == Token.DOT) {
      setting(StatementKind.SET, local);
      return;
    }
    switch (name) {
      case TRANSACTION:
        kind = StatementKind.SET_TRANSACTION;
        break;
      case CONSTRAINTS:
        kind = StatementKind.SET_CONSTRAINTS;
        break;
      case ROLE:
        setting(StatementKind.SET_ROLE, local);
        break;
      case SESSION_AUTHORIZATION:
        setting(StatementKind.SET_SESSION_AUTHORIZATION, local);
        break;
      case NAMES:
        cursor.addFlags(CHANGES_LEXING);
        setting(StatementKind.SET, local);
        break;
      default:
        setting(StatementKind.SET, local);
        break;
    }
  }

  private void setting(StatementKind whole, boolean local) {
    if (local) {
      kind = StatementKind.SET_LOCAL;
    } else {
      kind = whole;
      cursor.addFlags(SESSION_STATE);
    }
  }
}
