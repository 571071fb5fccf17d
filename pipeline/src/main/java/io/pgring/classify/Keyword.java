package io.pgring.classify;

import static io.pgring.classify.Classification.CHANGES_LEXING;
import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.PINS_SESSION;
import static io.pgring.classify.Classification.READS;
import static io.pgring.classify.Classification.REFUSES_TRANSACTION_BLOCK;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.WRITES;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.agrona.DirectBuffer;

/**
 * The words that classification looks at: keywords, and names of functions, settings and relations
 * whose mere mention has an effect. Found by hash without allocation. Constant; shared by all
 * threads.
 */
enum Keyword {
  /** Any other word. */
  NONE,
  ABORT,
  ALL,
  ALTER,
  ANALYSE,
  ANALYZE,
  ATOMIC,
  AUTHORIZATION,
  BEGIN,
  CALL,
  CHARACTERISTICS,
  CHECKPOINT,
  CLOSE,
  CLUSTER,
  COMMENT,
  COMMIT,
  CONCURRENTLY(REFUSES_TRANSACTION_BLOCK),
  CONSTRAINTS,
  COPY,
  CREATE,
  DATABASE,
  DEALLOCATE,
  DECLARE,
  DELETE,
  DISCARD,
  DO,
  DROP,
  END,
  EXECUTE,
  EXPLAIN,
  FETCH,
  FOR,
  FROM,
  FUNCTION,
  GLOBAL,
  GRANT,
  HOLD,
  IMPORT,
  INSERT,
  INTO,
  KEY,
  LISTEN,
  LOAD,
  LOCAL,
  LOCK,
  MERGE,
  MOVE,
  NAMES,
  NO,
  NOTIFY,
  OR,
  PREPARE,
  PREPARED,
  PROCEDURE,
  REASSIGN,
  REFRESH,
  REINDEX,
  RELEASE,
  REPLACE,
  RESET,
  RETURNING(READS),
  REVOKE,
  ROLE,
  ROLLBACK,
  RULE,
  SAVEPOINT,
  SECURITY,
  SELECT(READS),
  SESSION,
  SESSION_AUTHORIZATION,
  SET,
  SHARE,
  SHOW,
  START,
  STDIN,
  STDOUT,
  SUBSCRIPTION,
  SYSTEM,
  TABLE,
  TABLESPACE,
  TEMP,
  TEMPORARY,
  TO,
  TRANSACTION,
  TRUNCATE,
  UNLISTEN,
  UPDATE,
  VACUUM,
  VALUES,
  VERBOSE,
  WITH,
  WORK,

  CLIENT_ENCODING(CHANGES_LEXING),
  STANDARD_CONFORMING_STRINGS(CHANGES_LEXING),
  SET_CONFIG(CHANGES_LEXING | SESSION_STATE),
  /** A view whose UPDATE calls set_config. */
  PG_SETTINGS(CHANGES_LEXING | SESSION_STATE),
  PG_TEMP(SESSION_STATE | PINS_SESSION),
  NEXTVAL(WRITES),
  SETVAL(WRITES),
  PG_NOTIFY(WRITES),
  PG_ADVISORY_LOCK(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_ADVISORY_LOCK_SHARED(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_TRY_ADVISORY_LOCK(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_TRY_ADVISORY_LOCK_SHARED(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_ADVISORY_UNLOCK(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_ADVISORY_UNLOCK_SHARED(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_ADVISORY_UNLOCK_ALL(LOCKS | SESSION_STATE | PINS_SESSION),
  PG_ADVISORY_XACT_LOCK(LOCKS),
  PG_ADVISORY_XACT_LOCK_SHARED(LOCKS),
  PG_TRY_ADVISORY_XACT_LOCK(LOCKS),
  PG_TRY_ADVISORY_XACT_LOCK_SHARED(LOCKS);

  /**
   * What any of the named functions, settings and relations may do: assumed of a name that cannot
   * be read.
   */
  static final long EFFECTS_OF_ANY_NAME =
      CHANGES_LEXING | SESSION_STATE | PINS_SESSION | WRITES | LOCKS;

  private static final int SLOT_BITS = 10;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final Keyword[] SLOTS = new Keyword[1 << SLOT_BITS];

  static {
    for (Keyword keyword : values()) {
      if (keyword != NONE) {
        int slot = slotOf(keyword.hash);
        while (SLOTS[slot] != null) {
          slot = slot + 1 & SLOT_MASK;
        }
        SLOTS[slot] = keyword;
      }
    }
  }

  /** Flags that the mention of the word sets. */
  final long effects;

  private final byte[] text;
  private final int hash;

  Keyword() {
    this(0);
  }

  Keyword(long effects) {
    this.effects = effects;
    this.text = name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    int sum = 0;
    for (byte b : text) {
      sum = addToHash(sum, b);
    }
    this.hash = sum;
  }

  /** Hash of a word's bytes in lower case, one by one from 0. */
  static int addToHash(int hash, byte folded) {
    return hash * 31 + folded;
  }

  /**
   * Finds a word in any case.
   *
   * @param hash of its bytes, as {@link #addToHash} makes it
   * @return {@link #NONE} for a word that does not matter
   */
  static Keyword find(int hash, DirectBuffer buffer, int offset, int length) {
    int slot = slotOf(hash);
    for (Keyword keyword = SLOTS[slot]; keyword != null; keyword = SLOTS[slot]) {
      if (keyword.hash == hash && keyword.matches(buffer, offset, length)) {
        return keyword;
      }
      slot = slot + 1 & SLOT_MASK;
    }
    return NONE;
  }

  /** Finds a word whose hash is not known yet, in any case. */
  static Keyword find(DirectBuffer buffer, int offset, int length) {
    int hash = 0;
    for (int i = 0; i < length; i++) {
      hash = addToHash(hash, CharClass.FOLDED[buffer.getByte(offset + i) & 0xFF]);
    }
    return find(hash, buffer, offset, length);
  }

  private static int slotOf(int hash) {
    return hash * 0x9E3779B9 >>> 32 - SLOT_BITS;
  }

  private boolean matches(DirectBuffer buffer, int offset, int length) {
    if (length != text.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (CharClass.FOLDED[buffer.getByte(offset + i) & 0xFF] != text[i]) {
        return false;
      }
    }
    return true;
  }
}
