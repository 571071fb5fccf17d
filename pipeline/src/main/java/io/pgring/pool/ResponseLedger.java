package io.pgring.pool;

import io.pgring.protocol.BackendMessage;

/**
 * What a server connection still has to answer, in order. Every message sent pushes an entry; every
 * message received is matched with the first one. It knows the rules of the extended protocol: one
 * error answers a whole unit up to its Sync, and what is sent behind the error and before the Sync
 * is never answered. Answers that pgring gives itself are entries too, so that they keep their
 * place, and vanish with the unit that failed before them.
 *
 * @see <a href="https://www.postgresql.org/docs/current/protocol-flow.html">Message Flow</a>
 */
public final class ResponseLedger {
  /** Kinds of entries, named by what was sent. */
  public static final byte NONE = 0;

  public static final byte PARSE = 1;
  public static final byte BIND = 2;
  public static final byte CLOSE = 3;
  public static final byte DESCRIBE_STATEMENT = 4;
  public static final byte DESCRIBE_PORTAL = 5;
  public static final byte EXECUTE = 6;
  public static final byte SYNC = 7;
  public static final byte QUERY = 8;
  public static final byte FUNCTION_CALL = 9;

  /** Nothing was sent: ParseComplete is given by pgring when its turn comes. */
  public static final byte LOCAL_PARSE = 10;

  /** Nothing was sent: CloseComplete is given by pgring when its turn comes. */
  public static final byte LOCAL_CLOSE = 11;

  /** The answer goes to the client. */
  public static final byte FORWARD = 0;

  /**
   * The answer is dropped, since the client did not ask; an error still reaches it, in place of
   * what it did ask.
   */
  public static final byte SWALLOW = 1;

  /** The answer is an error by design, and a message of pgring's takes its place. */
  public static final byte REPLACE = 2;

  /**
   * The answer is dropped; an error means that the client cannot be served as it asked, and ends
   * its session.
   */
  public static final byte APPLY = 4;

  /**
   * Result of {@link #onMessage(byte)}: the message fits nothing that was sent, so the connection
   * is of no more use.
   */
  public static final byte UNEXPECTED = 3;

  private static final int INITIAL_ENTRIES = 16;
  private static final int EFFECTS_SHIFT = 16;

  private final Skipped skipped;
  private int[] codes = new int[INITIAL_ENTRIES];
  private int[] statements = new int[INITIAL_ENTRIES];
  private int[] names = new int[INITIAL_ENTRIES];
  private int head;
  private int size;
  private boolean skipping;
  private int answeredStatement;
  private int answeredName;

  /** Is told of entries that will never be answered. */
  public interface Skipped {
    /**
     * An error ended the unit before this entry's turn.
     *
     * @param kind of the entry
     * @param statement id given at push
     * @param name sequence given at push
     */
    void onSkipped(byte kind, int statement, int name);
  }

  public ResponseLedger(Skipped skipped) {
    this.skipped = skipped;
  }

  /** Entries that wait for their answer. */
  public int size() {
    return size;
  }

  /** True when nothing is owed: together with status I, the connection can be handed on. */
  public boolean isEmpty() {
    return size == 0 && !skipping;
  }

  /** True when an error has ended a unit whose Sync was not yet sent. */
  public boolean isSkipping() {
    return skipping;
  }

  public byte headKind() {
    return size == 0 ? NONE : (byte) (codes[head] & 0xff);
  }

  public byte headDisposition() {
    return size == 0 ? FORWARD : (byte) (codes[head] >> 8);
  }

  /** Session effects of the statement whose answer is next, as pushed. */
  public int headEffects() {
    return size == 0 ? 0 : codes[head] >>> EFFECTS_SHIFT;
  }

  /** Id of the statement whose Parse the last ParseComplete answered, 0 for none of ours. */
  public int answeredStatement() {
    return answeredStatement;
  }

  /** Sequence of the client's name whose Parse the last ParseComplete answered, or 0. */
  public int answeredName() {
    return answeredName;
  }

  /** Sequence of the client's name that the entry whose turn it is was pushed with, or 0. */
  public int headName() {
    return size == 0 ? 0 : names[head];
  }

  public void push(byte kind, byte disposition) {
    push(kind, disposition, 0, 0);
  }

  /**
   * Adds an entry for a statement that is sent to be run.
   *
   * @param effects what it may leave in the session, at most 16 bits
   */
  public void pushStatement(byte kind, int effects) {
    boolean owed = !skipping;
    push(kind, FORWARD, 0, 0);
    if (owed) {
      codes[head + size - 1 & codes.length - 1] |= effects << EFFECTS_SHIFT;
    }
  }

  /**
   * Adds an entry for a message that is being sent; behind an error in the same unit nothing is
   * owed, and only the Sync is noted.
   *
   * @param statement id of the prepared statement the message is about, or 0
   * @param name sequence of the client's name, or 0
   */
  public void push(byte kind, byte disposition, int statement, int name) {
    if (skipping) {
      if (kind != SYNC) {
        skipped.onSkipped(kind, statement, name);
        return;
      }
      skipping = false;
    }
    if (size == codes.length) {
      grow();
    }
    int index = head + size & codes.length - 1;
    codes[index] = disposition << 8 | kind;
    statements[index] = statement;
    names[index] = name;
    size++;
  }

  /**
   * Matches a message from the server that answers something: not NoticeResponse, ParameterStatus
   * or NotificationResponse, which may come at any time.
   *
   * @return what happens to the message: {@link #FORWARD}, {@link #SWALLOW}, {@link #REPLACE},
   *     {@link #APPLY} or {@link #UNEXPECTED}
   */
  public byte onMessage(byte type) {
    byte kind = headKind();
    switch (type) {
      case BackendMessage.DATA_ROW:
      case BackendMessage.COPY_DATA:
      case BackendMessage.COPY_DONE:
      case BackendMessage.COPY_IN_RESPONSE:
      case BackendMessage.COPY_OUT_RESPONSE:
      case BackendMessage.COPY_BOTH_RESPONSE:
        return kind == EXECUTE || kind == QUERY ? headDisposition() : UNEXPECTED;
      case BackendMessage.COMMAND_COMPLETE:
      case BackendMessage.EMPTY_QUERY_RESPONSE:
        return kind == QUERY ? headDisposition() : popIf(kind == EXECUTE);
      case BackendMessage.PORTAL_SUSPENDED:
        return popIf(kind == EXECUTE);
      case BackendMessage.PARSE_COMPLETE:
        answeredStatement = size == 0 ? 0 : statements[head];
        answeredName = headName();
        return popIf(kind == PARSE);
      case BackendMessage.BIND_COMPLETE:
        return popIf(kind == BIND);
      case BackendMessage.CLOSE_COMPLETE:
        return popIf(kind == CLOSE);
      case BackendMessage.PARAMETER_DESCRIPTION:
        return kind == DESCRIBE_STATEMENT ? headDisposition() : UNEXPECTED;
      case BackendMessage.ROW_DESCRIPTION:
        return kind == QUERY ? headDisposition() : popIf(isDescribe(kind));
      case BackendMessage.NO_DATA:
        return popIf(isDescribe(kind));
      case BackendMessage.FUNCTION_CALL_RESPONSE:
        return kind == FUNCTION_CALL ? headDisposition() : UNEXPECTED;
      case BackendMessage.READY_FOR_QUERY:
        return popIf(kind == SYNC || kind == QUERY || kind == FUNCTION_CALL);
      case BackendMessage.ERROR_RESPONSE:
        return onError(kind);
      default:
        return UNEXPECTED;
    }
  }

  /** ReadyForQuery messages that are still owed. */
  public int countUnitEnds() {
    int ends = 0;
    for (int i = 0; i < size; i++) {
      int kind = codes[head + i & codes.length - 1] & 0xff;
      if (kind == SYNC || kind == QUERY || kind == FUNCTION_CALL) {
        ends++;
      }
    }
    return ends;
  }

  /** Takes a local entry off the front; its answer has been given. */
  public void popLocal() {
    pop();
  }

  /** Forgets everything; the connection is being closed. */
  public void clear() {
    while (size > 0) {
      skipHead();
    }
    skipping = false;
  }

  private byte onError(byte kind) {
    if (kind == NONE) {
      return skipping ? FORWARD : UNEXPECTED;
    }
    byte disposition = headDisposition();
    if (kind == QUERY || kind == FUNCTION_CALL) {
      return disposition;
    }
    if (disposition == REPLACE) {
      // Answered as intended; the replacement is the caller's to give.
      pop();
    }
    while (size > 0 && headKind() != SYNC) {
      skipHead();
    }
    skipping = size == 0;
    return disposition == SWALLOW ? FORWARD : disposition;
  }

  private byte popIf(boolean expected) {
    if (!expected) {
      return UNEXPECTED;
    }
    byte disposition = headDisposition();
    pop();
    return disposition;
  }

  private static boolean isDescribe(byte kind) {
    return kind == DESCRIBE_STATEMENT || kind == DESCRIBE_PORTAL;
  }

  private void skipHead() {
    byte kind = headKind();
    int statement = statements[head];
    int name = names[head];
    pop();
    skipped.onSkipped(kind, statement, name);
  }

  private void pop() {
    head = head + 1 & codes.length - 1;
    size--;
  }

  private void grow() {
    codes = unrolled(codes);
    statements = unrolled(statements);
    names = unrolled(names);
    head = 0;
  }

  private int[] unrolled(int[] ring) {
    int[] grown = new int[2 * ring.length];
    System.arraycopy(ring, head, grown, 0, ring.length - head);
    System.arraycopy(ring, 0, grown, ring.length - head, head);
    return grown;
  }
}
