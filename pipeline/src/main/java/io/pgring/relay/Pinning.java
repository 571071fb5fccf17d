package io.pgring.relay;

import io.pgring.classify.Classification;
import io.pgring.config.DatabaseConfig;
import io.pgring.config.PoolMode;
import io.pgring.config.SessionFeature;
import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.SharedPool;
import io.pgring.protocol.BackendMessage;
import io.pgring.protocol.FieldCode;
import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.backend.ErrorResponseFlyweight;
import io.pgring.session.PinCause;
import io.pgring.session.Pins;
import io.pgring.session.Session;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/**
 * Keeps server connections with the sessions that have left something in them which cannot follow:
 * decides whether a statement may do so, learns from the answers whether it has, and knows when it
 * is undone. Relay's thread.
 */
final class Pinning {
  /** Tags of commands that are taken to leave nothing behind although nobody read their text. */
  private static final byte[][] HARMLESS_TAGS =
      tags(
          "SELECT",
          "INSERT",
          "UPDATE",
          "DELETE",
          "MERGE",
          "COPY",
          "FETCH",
          "MOVE",
          "DO",
          "CALL",
          "BEGIN",
          "START TRANSACTION",
          "COMMIT",
          "ROLLBACK",
          "SAVEPOINT",
          "RELEASE");

  private static final byte[] COMMIT = tag("COMMIT");
  private static final byte[] PREPARE_TRANSACTION = tag("PREPARE TRANSACTION");
  private static final byte[] ROLLBACK = tag("ROLLBACK");

  private final RelayContext context;
  private final ErrorResponseFlyweight error = new ErrorResponseFlyweight();

  Pinning(RelayContext context) {
    this.context = context;
  }

  /**
   * The effects of a text that matter to this session, which holds a server connection; none where
   * that is its own.
   */
  static int effects(Session session, long classification) {
    if (session.poolMode() == PoolMode.SESSION) {
      return 0;
    }
    int effects = Classification.effects(classification);
    return Classification.has(classification, Classification.SETS_SEARCH_PATH)
            && session.server.defaults.value("search_path") == null
        ? effects | PinCause.SETTING.bit()
        : effects;
  }

  // --- before a statement is sent

  /**
   * Counts the session as pinned if the statement may pin it.
   *
   * @return why the statement must not be sent, or null when it may be
   */
  Refusal admit(Session session, int effects) {
    if ((effects & Classification.EFFECTS_SEQUENCE) != 0 && !session.pins().ranStatement) {
      return Refusal.sequence();
    }
    int causes = effects & Classification.EFFECTS_PINNING & ~PinCause.UNKNOWN.bit();
    if (causes == 0 || session.pins().isCounted()) {
      return null;
    }
    SharedPool pool = session.pool.shared();
    DatabaseConfig database = pool.database();
    if (session.poolMode() == PoolMode.STATEMENT) {
      return Refusal.inStatementMode(causes);
    }
    if (database.onSessionFeature() == SessionFeature.REJECT) {
      return Refusal.rejected(causes);
    }
    if (!pool.tryPin()) {
      return Refusal.tooMany(causes, pool.pinnedLimit());
    }
    session.pins().count(context.nowNs);
    return null;
  }

  /**
   * Why a statement is not sent.
   *
   * @param sqlState of the error
   */
  record Refusal(String sqlState, String message, String hint) {
    static Refusal inStatementMode(int causes) {
      return new Refusal(
          "0A000",
          PinCause.titles(causes) + " is not supported in statement pooling",
          "It would stay in a server session that other clients use too. Use pool_mode: transaction"
              + " or session.");
    }

    static Refusal sequence() {
      return new Refusal(
          "0A000",
          "currval and lastval are not supported outside the transaction of their nextval",
          "The value would be that of another client. Use RETURNING, one transaction, or pool_mode:"
              + " session.");
    }

    static Refusal rejected(int causes) {
      return new Refusal(
          "0A000",
          PinCause.titles(causes) + " is not supported here: on_session_feature is reject",
          "It needs a server connection of its own. Use on_session_feature: pin or pool_mode:"
              + " session for this database.");
    }

    static Refusal tooMany(int causes, int limit) {
      return new Refusal(
          "53300",
          "too many pinned server connections: pinned_limit is " + limit,
          PinCause.titles(causes)
              + " keeps a server connection with its client. SHOW PINS on the console tells who has"
              + " the others. Raise pool_size or pinned_limit, or use pool_mode: session.");
    }
  }

  // --- answers

  /**
   * Learns from an answer what the statement at the head of the ledger has left behind; called for
   * answers to statements with effects, and for all while a transaction has yet to decide.
   *
   * @param effects of the entry that the answer belongs to
   */
  void onAnswer(
      ServerConnection server,
      int effects,
      byte kind,
      DirectBuffer buffer,
      int offset,
      int length) {
    switch (buffer.getByte(offset)) {
      case BackendMessage.COMMAND_COMPLETE:
        ran(server, resolved(effects, buffer, offset, length));
        onTag(server.owner, buffer, offset, length);
        break;
      case BackendMessage.PORTAL_SUSPENDED:
        ran(server, effects);
        break;
      case BackendMessage.ERROR_RESPONSE:
        onError(server, effects, kind, buffer, offset, length);
        break;
      default:
        break;
    }
  }

  /** Effects of a text that nobody read, as far as the tag shows. */
  private static int resolved(int effects, DirectBuffer buffer, int offset, int length) {
    if ((effects & PinCause.UNKNOWN.bit()) == 0) {
      return effects;
    }
    for (byte[] tag : HARMLESS_TAGS) {
      if (startsWith(buffer, offset, length, tag)) {
        return effects & ~PinCause.UNKNOWN.bit();
      }
    }
    return effects;
  }

  private void ran(ServerConnection server, int effects) {
    if (effects == 0) {
      return;
    }
    // What was loaded into the server process stays there.
    server.retire |= (effects & PinCause.LOAD.bit()) != 0;
    Session owner = server.owner;
    if (owner == null) {
      server.discardDue = true;
      return;
    }
    Pins pins = owner.pins();
    pins.ran(effects);
    if (pins.any() && !pins.isCounted()) {
      // Too late to refuse it: nobody knew before.
      owner.pool.shared().pin();
      pins.count(context.nowNs);
    }
  }

  private static void onTag(Session owner, DirectBuffer buffer, int offset, int length) {
    if (owner == null || !owner.pins().isUnsettled()) {
      return;
    }
    if (startsWith(buffer, offset, length, COMMIT)
        || startsWith(buffer, offset, length, PREPARE_TRANSACTION)) {
      owner.pins().committed();
    } else if (startsWith(buffer, offset, length, ROLLBACK)) {
      owner.pins().rolledBack();
    }
  }

  private void onError(
      ServerConnection server,
      int effects,
      byte kind,
      DirectBuffer buffer,
      int offset,
      int length) {
    // A lock survives the error that came behind it in the same statement.
    int locks = effects & PinCause.ADVISORY_LOCK.bit();
    boolean mayHaveRun = kind == ResponseLedger.QUERY || kind == ResponseLedger.EXECUTE;
    if (locks != 0 && mayHaveRun && !neverRan(buffer, offset, length)) {
      ran(server, locks);
    }
    if (server.owner != null) {
      server.owner.pins().failed(kind == ResponseLedger.QUERY);
    }
  }

  /** Class 42 is an error in the text, 25P02 one because of the transaction's state. */
  private boolean neverRan(DirectBuffer buffer, int offset, int length) {
    error.wrap(buffer, offset, length);
    if (!error.field(FieldCode.SQL_STATE)) {
      return false;
    }
    byte first = buffer.getByte(error.fieldOffset());
    byte second = buffer.getByte(error.fieldOffset() + 1);
    return first == '4' && second == '2' || first == '2' && second == '5';
  }

  // --- the end of a transaction, and of a session

  /**
   * No transaction is open.
   *
   * @param allAnswered nothing is under way that could pin
   */
  void onTransactionEnd(Session session, boolean allAnswered) {
    Pins pins = session.pins();
    if (pins.isUnsettled()) {
      pins.settle();
    }
    if (allAnswered && pins.isCounted() && !pins.any()) {
      release(session);
    }
  }

  /** The session lets go of its server connection, or has lost it. */
  void release(Session session) {
    if (session.pins().isCounted()) {
      session.pool.shared().unpin();
      session.pins().clear();
    }
  }

  private static boolean startsWith(DirectBuffer buffer, int offset, int length, byte[] tag) {
    int start = offset + MessageLayout.HEADER_LENGTH;
    int end = start + tag.length;
    if (end >= offset + length) {
      return false;
    }
    for (int i = 0; i < tag.length; i++) {
      if (buffer.getByte(start + i) != tag[i]) {
        return false;
      }
    }
    return buffer.getByte(end) == 0 || buffer.getByte(end) == ' ';
  }

  private static byte[][] tags(String... names) {
    byte[][] tags = new byte[names.length][];
    for (int i = 0; i < names.length; i++) {
      tags[i] = tag(names[i]);
    }
    return tags;
  }

  private static byte[] tag(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
