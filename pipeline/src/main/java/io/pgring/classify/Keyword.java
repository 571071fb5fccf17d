package io.pgring.classify;

import static io.pgring.classify.Classification.CHANGES_LEXING;
import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.MAKES_TEMPORARY;
import static io.pgring.classify.Classification.READS;
import static io.pgring.classify.Classification.REFUSES_TRANSACTION_BLOCK;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.SETS_FOR_SESSION;
import static io.pgring.classify.Classification.TAKES_SESSION_LOCK;
import static io.pgring.classify.Classification.WRITES;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

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
  APPLICATION_NAME,
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
  DATESTYLE,
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
  INTERVALSTYLE,
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
  PG_CATALOG,
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
  SEARCH_PATH,
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
  TIME,
  TIMEZONE,
  TO,
  TRANSACTION,
  TRUE,
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
  PG_TEMP(SESSION_STATE | MAKES_TEMPORARY),
  CURRVAL(READS),
  LASTVAL(READS),
  NEXTVAL(WRITES),
  SETVAL(WRITES),
  PG_NOTIFY(WRITES),
  PG_ADVISORY_LOCK(LOCKS | SESSION_STATE | TAKES_SESSION_LOCK),
  PG_ADVISORY_LOCK_SHARED(LOCKS | SESSION_STATE | TAKES_SESSION_LOCK),
  PG_TRY_ADVISORY_LOCK(LOCKS | SESSION_STATE | TAKES_SESSION_LOCK),
  PG_TRY_ADVISORY_LOCK_SHARED(LOCKS | SESSION_STATE | TAKES_SESSION_LOCK),
  PG_ADVISORY_UNLOCK(LOCKS | SESSION_STATE),
  PG_ADVISORY_UNLOCK_SHARED(LOCKS | SESSION_STATE),
  PG_ADVISORY_UNLOCK_ALL(LOCKS | SESSION_STATE),
  PG_ADVISORY_XACT_LOCK(LOCKS),
  PG_ADVISORY_XACT_LOCK_SHARED(LOCKS),
  PG_TRY_ADVISORY_XACT_LOCK(LOCKS),
  PG_TRY_ADVISORY_XACT_LOCK_SHARED(LOCKS);

  /**
   * What any of the named functions, settings and relations may do: assumed of a name that cannot
   * be read.
   */
  static final long EFFECTS_OF_ANY_NAME =
      CHANGES_LEXING
          | SESSION_STATE
          | MAKES_TEMPORARY
          | TAKES_SESSION_LOCK
          | SETS_FOR_SESSION
          | WRITES
          | LOCKS;

  private static final int SLOT_BITS = 10;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final Keyword[] BY_ID = values();
  private static final byte[] SLOTS = new byte[1 << SLOT_BITS];
  private static final int LONGEST;

  /** The bit in which upper and lower case differ, in eight bytes. */
  private static final long LOWER_CASE = 0x2020202020202020L;

  static {
    int longest = 0;
    for (Keyword keyword : BY_ID) {
      if (keyword != NONE) {
        int slot = slotOf(keyword.head, keyword.text.length);
        while (SLOTS[slot] != 0) {
          slot = slot + 1 & SLOT_MASK;
        }
        SLOTS[slot] = (byte) keyword.ordinal();
        longest = Math.max(longest, keyword.text.length);
      }
    }
    LONGEST = longest;
  }

  /** Flags that the mention of the word sets. */
  final long effects;

  private final byte[] text;

  /** The first eight bytes, as {@link #head(DirectBuffer, int, int)} makes it. */
  private final long head;

  Keyword() {
    this(0);
  }

  Keyword(long effects) {
    this.effects = effects;
    this.text = name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    this.head = head(new UnsafeBuffer(text), 0, text.length);
  }

  /**
   * The keyword of an ordinal. Hot objects keep ordinals, because storing a reference has a price.
   */
  static Keyword of(int ordinal) {
    return BY_ID[ordinal];
  }

  /**
   * Finds a word in any case.
   *
   * @return its ordinal; that of {@link #NONE}, 0, for a word that does not matter
   */
  static int find(DirectBuffer buffer, int offset, int length) {
    if (length < 2 || length > LONGEST) {
      return 0;
    }
    long head = head(buffer, offset, length);
    int slot = slotOf(head, length);
    for (int ordinal = SLOTS[slot]; ordinal != 0; ordinal = SLOTS[slot]) {
      Keyword keyword = BY_ID[ordinal];
      if (keyword.head == head && keyword.matches(buffer, offset, length)) {
        return ordinal;
      }
      slot = slot + 1 & SLOT_MASK;
    }
    return 0;
  }

  /** Up to eight bytes of a word in lower case; whatever stands behind it does not show. */
  private static long head(DirectBuffer buffer, int offset, int length) {
    if (length >= Long.BYTES) {
      return buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN) | LOWER_CASE;
    }
    int unused = Long.SIZE - length * Byte.SIZE;
    if (offset + Long.BYTES <= buffer.capacity()) {
      return (buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN) | LOWER_CASE) << unused;
    }
    long bytes = 0;
    for (int i = length - 1; i >= 0; i--) {
      bytes = bytes << Byte.SIZE | buffer.getByte(offset + i) & 0xFF;
    }
    return (bytes | LOWER_CASE) << unused;
  }

  private static int slotOf(long head, int length) {
    return (int) ((head + length) * 0x9E3779B97F4A7C15L >>> Long.SIZE - SLOT_BITS);
  }

  /** Compares what the head does not cover. */
  private boolean matches(DirectBuffer buffer, int offset, int length) {
    if (length != text.length) {
      return false;
    }
    for (int i = Long.BYTES; i < length; i++) {
      if ((buffer.getByte(offset + i) | 0x20) != (text[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }
}
