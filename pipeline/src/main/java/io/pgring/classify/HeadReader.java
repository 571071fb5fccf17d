package io.pgring.classify;

import static io.pgring.classify.Classification.CHANGES_LEXING;
import static io.pgring.classify.Classification.CLOSES_ALL;
import static io.pgring.classify.Classification.DEALLOCATES_ALL;
import static io.pgring.classify.Classification.DROPS_TEMPORARY;
import static io.pgring.classify.Classification.HOLDS_CURSOR;
import static io.pgring.classify.Classification.MAY_COPY_IN;
import static io.pgring.classify.Classification.PREPARED_RESET;
import static io.pgring.classify.Classification.PREPARES;
import static io.pgring.classify.Classification.READS;
import static io.pgring.classify.Classification.REFUSES_TRANSACTION_BLOCK;
import static io.pgring.classify.Classification.RESETS_ALL;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.SETS_FOR_SESSION;
import static io.pgring.classify.Classification.SETS_ROLE;
import static io.pgring.classify.Classification.SETS_SEARCH_PATH;
import static io.pgring.classify.Classification.TRANSACTION_CONTROL;
import static io.pgring.classify.Classification.UNLISTENS_ALL;
import static io.pgring.classify.Classification.UNLOCKS_ALL;
import static io.pgring.classify.Classification.WRITES;

/**
 * Reads as many of a statement's first words as it takes to tell its kind, and adds the effects of
 * that kind. Part of a {@link StatementClassifier}, on its thread.
 */
final class HeadReader {
  private final StatementCursor cursor;

  HeadReader(StatementCursor cursor) {
    this.cursor = cursor;
  }

  /** Reads the first words of the statement that the cursor is at. */
  StatementKind read() {
    boolean parenthesized = cursor.token() == Token.LEFT_PARENTHESIS;
    while (cursor.token() == Token.LEFT_PARENTHESIS) {
      cursor.advance();
    }
    StatementKind kind = StatementHead.kind(cursor.keyword());
    cursor.addFlags(StatementHead.flags(cursor.keyword()));
    if (kind == StatementKind.UNKNOWN || parenthesized && !beginsQuery()) {
      cursor.notUnderstood();
      return StatementKind.UNKNOWN;
    }
    return refine(kind);
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

  private StatementKind refine(StatementKind kind) {
    switch (kind) {
      case COMMIT:
        cursor.advance();
        return cursor.keyword() == Keyword.PREPARED
            ? endPrepared(StatementKind.COMMIT_PREPARED)
            : kind;
      case ROLLBACK:
        return rollback();
      case PREPARE:
        return prepare();
      case SET:
        return set();
      case COPY_OTHER:
        return copy();
      case RESET:
        reset();
        return kind;
      case DISCARD:
        discard();
        return kind;
      case EXPLAIN:
        explain();
        return kind;
      case DECLARE:
        declare();
        return kind;
      case DDL:
        definition();
        return kind;
      case SELECT:
        unlockAll();
        return kind;
      case UNLISTEN:
        cursor.advance();
        addFlagsIf(cursor.token() == Token.OPERATOR, UNLISTENS_ALL);
        return kind;
      case CLOSE:
        cursor.advance();
        addFlagsIf(cursor.keyword() == Keyword.ALL, CLOSES_ALL);
        return kind;
      case DEALLOCATE:
        deallocate();
        return kind;
      default:
        return kind;
    }
  }

  private void addFlagsIf(boolean condition, long flags) {
    if (condition) {
      cursor.addFlags(flags);
    }
  }

  /** SELECT pg_advisory_unlock_all(), so that it is surely called. */
  private void unlockAll() {
    cursor.advance();
    if (cursor.name() == Keyword.PG_CATALOG) {
      cursor.advance();
      cursor.advance();
    }
    if (cursor.name() == Keyword.PG_ADVISORY_UNLOCK_ALL) {
      cursor.advance();
      boolean called = cursor.token() == Token.LEFT_PARENTHESIS;
      cursor.advance();
      called &= cursor.token() == Token.RIGHT_PARENTHESIS;
      cursor.advance();
      addFlagsIf(called && cursor.atEnd(), UNLOCKS_ALL);
    }
  }

  private void deallocate() {
    cursor.advance();
    if (cursor.keyword() == Keyword.PREPARE) {
      cursor.advance();
    }
    addFlagsIf(cursor.keyword() == Keyword.ALL, DEALLOCATES_ALL);
  }

  private StatementKind endPrepared(StatementKind kind) {
    cursor.addFlags(WRITES | REFUSES_TRANSACTION_BLOCK);
    return kind;
  }

  private StatementKind rollback() {
    cursor.advance();
    if (cursor.keyword() == Keyword.PREPARED) {
      return endPrepared(StatementKind.ROLLBACK_PREPARED);
    }
    if (cursor.keyword() == Keyword.WORK || cursor.keyword() == Keyword.TRANSACTION) {
      cursor.advance();
    }
    return cursor.keyword() == Keyword.TO ? StatementKind.ROLLBACK_TO : StatementKind.ROLLBACK;
  }

  /** PREPARE TRANSACTION 'gid', or a statement, whose name may well be "transaction". */
  private StatementKind prepare() {
    cursor.advance();
    if (cursor.keyword() == Keyword.TRANSACTION) {
      cursor.advance();
      if (cursor.token() == Token.STRING) {
        cursor.addFlags(TRANSACTION_CONTROL | WRITES);
        return StatementKind.PREPARE_TRANSACTION;
      }
    }
    cursor.addFlags(SESSION_STATE | PREPARES);
    return StatementKind.PREPARE;
  }

  private void reset() {
    cursor.advance();
    if (cursor.keyword() == Keyword.ALL) {
      cursor.addFlags(CHANGES_LEXING | RESETS_ALL);
    }
  }

  private void discard() {
    cursor.advance();
    addFlagsIf(
        cursor.keyword() == Keyword.TEMP || cursor.keyword() == Keyword.TEMPORARY, DROPS_TEMPORARY);
    if (cursor.keyword() == Keyword.ALL) {
      cursor.addFlags(REFUSES_TRANSACTION_BLOCK | CHANGES_LEXING | PREPARED_RESET);
    }
  }

  private StatementKind copy() {
    do {
      cursor.advance();
    } while (!cursor.atEnd()
        && (cursor.depth() > 0
            || cursor.keyword() != Keyword.FROM && cursor.keyword() != Keyword.TO));
    if (cursor.atEnd()) {
      cursor.notUnderstood();
      return StatementKind.COPY_OTHER;
    }
    boolean from = cursor.keyword() == Keyword.FROM;
    cursor.advance();
    // FROM STDOUT means the client too.
    if (cursor.keyword() != Keyword.STDIN && cursor.keyword() != Keyword.STDOUT) {
      cursor.addFlags(READS | WRITES);
      return StatementKind.COPY_OTHER;
    }
    cursor.addFlags(from ? WRITES | MAY_COPY_IN : READS);
    return from ? StatementKind.COPY_FROM_STDIN : StatementKind.COPY_TO_STDOUT;
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
        cursor.addFlags(SESSION_STATE | HOLDS_CURSOR);
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
  private StatementKind set() {
    cursor.advance();
    boolean local = cursor.keyword() == Keyword.LOCAL;
    boolean session = cursor.keyword() == Keyword.SESSION;
    if (local || session) {
      cursor.advance();
      if (continuesName()) {
        return setting(StatementKind.SET, false, SETS_FOR_SESSION);
      }
    }
    if (cursor.keyword() == Keyword.SESSION) {
      session = true;
      cursor.advance();
    }
    if (session && cursor.keyword() == Keyword.CHARACTERISTICS) {
      return setting(StatementKind.SET_SESSION_CHARACTERISTICS, local, SETS_FOR_SESSION);
    }
    if (session && cursor.keyword() == Keyword.AUTHORIZATION) {
      return setting(StatementKind.SET_SESSION_AUTHORIZATION, local, SETS_ROLE);
    }
    return namedSetting(local);
  }

  private boolean continuesName() {
    return cursor.token() == Token.DOT
        || cursor.token() == Token.OPERATOR
        || cursor.keyword() == Keyword.TO;
  }

  private StatementKind namedSetting(boolean local) {
    Keyword name = cursor.name();
    cursor.advance();
    if (cursor.token() == Token.DOT) {
      return setting(StatementKind.SET, local, SETS_FOR_SESSION);
    }
    switch (name) {
      case TRANSACTION:
        return StatementKind.SET_TRANSACTION;
      case CONSTRAINTS:
        return StatementKind.SET_CONSTRAINTS;
      case ROLE:
        return setting(StatementKind.SET_ROLE, local, SETS_ROLE);
      case SESSION_AUTHORIZATION:
        return setting(StatementKind.SET_SESSION_AUTHORIZATION, local, SETS_ROLE);
      case NAMES:
        cursor.addFlags(CHANGES_LEXING);
        return setting(StatementKind.SET, local, 0);
      default:
        return setting(StatementKind.SET, local, effectOf(name));
    }
  }

  private StatementKind setting(StatementKind whole, boolean local, long effect) {
    if (local) {
      return StatementKind.SET_LOCAL;
    }
    cursor.addFlags(SESSION_STATE | effect);
    return whole;
  }

  /**
   * The settings that relay carries from one server connection to the next: those whose every
   * change PostgreSQL has reported since version 9. Whatever else is set pins the session.
   */
  private static long effectOf(Keyword name) {
    switch (name) {
      case APPLICATION_NAME:
      case CLIENT_ENCODING:
      case DATESTYLE:
      case INTERVALSTYLE:
      case STANDARD_CONFORMING_STRINGS:
      case TIME:
      case TIMEZONE:
        return 0;
      case SEARCH_PATH:
        return SETS_SEARCH_PATH;
      default:
        return SETS_FOR_SESSION;
    }
  }
}
