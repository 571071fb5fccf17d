package io.pgring.relay;

import io.pgring.config.PoolMode;
import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.BackendEncoder;
import io.pgring.protocol.BackendMessage;
import io.pgring.protocol.FieldCode;
import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.TransactionStatus;
import io.pgring.protocol.backend.ErrorResponseFlyweight;
import io.pgring.session.PreparedStatement;
import io.pgring.session.Session;
import io.pgring.session.Session.CopyPhase;
import io.pgring.session.Session.Wait;
import io.pgring.settings.SettingsStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads servers: walks the message headers in the receive buffer, matches each answer with the
 * ledger, and writes runs of messages that belong to the client straight from where they were
 * received. Only the head of a message that is not yet complete, and must be seen whole, is kept.
 */
final class ServerResponses {
  private static final int RECEIVE_BYTES = 128 * 1024;

  /**
   * A message that is incomplete and longer than this passes through in pieces, whatever its type.
   */
  private static final int MAX_INCOMPLETE_BYTES = 16 * 1024;

  /** Reported, but not to be had by asking for it. */
  private static final Set<String> NOT_SETTABLE =
      Set.of(
          "in_hot_standby",
          "integer_datetimes",
          "is_superuser",
          "server_encoding",
          "server_version",
          "session_authorization");

  private static final byte[] DEALLOCATE_ALL = tag("DEALLOCATE ALL");
  private static final byte[] DISCARD_ALL = tag("DISCARD ALL");
  private static final byte[] RESET = tag("RESET");

  private final RelayContext context;
  private final ClientWriter clients;
  private final ServerWriter servers;
  private final Connector connector;
  private final Pinning pinning;
  private final ErrorResponseFlyweight error = new ErrorResponseFlyweight();
  private final UnsafeBuffer receiveBuffer;
  private final ByteBuffer receiveBytes;

  /** The message at hand is an error that was provoked, and pgring's own takes its place. */
  private boolean replacing;

  /** The session has begun a transaction and must not; it is told behind the answers at hand. */
  private boolean refusing;

  ServerResponses(
      RelayContext context,
      ServerWriter servers,
      ClientWriter clients,
      Connector connector,
      Pinning pinning) {
    this.context = context;
    this.servers = servers;
    this.clients = clients;
    this.connector = connector;
    this.pinning = pinning;
    receiveBytes = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    receiveBuffer = new UnsafeBuffer(receiveBytes);
  }

  /** Reads once and handles what came. */
  void onReadable(ServerConnection server) {
    int read = server.incomplete().isEmpty() ? readFresh(server) : readBehindIncomplete(server);
    if (read < 0 && !server.isLost()) {
      context.lost(server, "server conn crashed?");
    } else if (read > 0) {
      server.pool().receivedBytes += read;
    }
  }

  /** Gives the answers that are pgring's own and whose turn has come. */
  void answerLocally(ServerConnection server) {
    ResponseLedger ledger = server.ledger();
    while (ledger.headKind() >= ResponseLedger.LOCAL_PARSE) {
      int length =
          ledger.headKind() == ResponseLedger.LOCAL_PARSE
              ? BackendEncoder.parseComplete(context.scratch, 0)
              : BackendEncoder.closeComplete(context.scratch, 0);
      if (server.owner != null) {
        clients.append(server.owner, context.scratch, 0, length);
      }
      nameAnswered(server, ledger.headKind(), ledger.headName());
      ledger.popLocal();
    }
  }

  private void nameAnswered(ServerConnection server, byte kind, int name) {
    if (name <= 0 || server.owner == null) {
      return;
    }
    if (kind != ResponseLedger.LOCAL_CLOSE) {
      server.owner.statements().prepared();
      return;
    }
    PreparedStatement closed = server.owner.statements().closed(name);
    if (closed != null) {
      context.shared.statements().release(closed);
    }
  }

  private int readFresh(ServerConnection server) {
    receiveBytes.clear();
    int read = server.channel().read(receiveBytes);
    receiveBytes.clear();
    if (read > 0) {
      int scanned = scan(server, receiveBuffer, receiveBytes, 0, read);
      if (scanned < read && !server.incomplete().append(receiveBuffer, scanned, read - scanned)) {
        context.lost(server, "slab_budget_bytes is spent");
      }
    }
    return read;
  }

  private int readBehindIncomplete(ServerConnection server) {
    if (server.incomplete().reserve(MAX_INCOMPLETE_BYTES) < 0) {
      return -1;
    }
    int read = server.incomplete().readFrom(server.channel(), MAX_INCOMPLETE_BYTES);
    if (read > 0) {
      UnsafeBuffer buffer = server.incomplete().buffer();
      int head = server.incomplete().head();
      int scanned = scan(server, buffer, null, head, head + server.incomplete().size());
      if (!server.isLost()) {
        server.incomplete().consume(scanned);
      }
    }
    return read;
  }

  /**
   * Handles the messages in {@code [start, end)}.
   *
   * @param bytes the memory of {@code buffer} for direct writes, or null when it must be copied
   * @return bytes handled; the rest is the head of a message
   */
  private int scan(
      ServerConnection server, UnsafeBuffer buffer, ByteBuffer bytes, int start, int end) {
    refusing = false;
    int runStart = start;
    int position = start;
    while (position < end) {
      int length = messageLength(server, buffer, position, end);
      if (length <= 0) {
        if (length < 0) {
          context.lost(server, "bad packet header");
          return end - start;
        }
        break;
      }
      boolean forward =
          server.passThroughBytes > 0
              ? passThrough(server, length)
              : firstPiece(server, buffer, position, length);
      if (server.isLost()) {
        return end - start;
      }
      if (!forward) {
        appendRun(server, buffer, runStart, position);
        runStart = position + length;
        if (replacing) {
          replacing = false;
          clients.append(server.owner, server.replacements().remove());
        }
      }
      position += length;
      if (server.ledger().headKind() >= ResponseLedger.LOCAL_PARSE) {
        appendRun(server, buffer, runStart, position);
        runStart = position;
        answerLocally(server);
      }
    }
    writeRun(server, buffer, bytes, runStart, position);
    if (refusing) {
      refusing = false;
      clients.fatal(
          server.owner, "0A000", "transaction blocks not allowed in statement pooling mode", null);
    }
    return position - start;
  }

  /**
   * Bytes of the next message that can be handled now; 0 when more must come first, -1 when it
   * makes no sense.
   */
  private static int messageLength(
      ServerConnection server, UnsafeBuffer buffer, int position, int end) {
    int available = end - position;
    if (server.passThroughBytes > 0) {
      return Math.min(available, server.passThroughBytes);
    }
    if (available < MessageLayout.HEADER_LENGTH) {
      return 0;
    }
    int length = buffer.getInt(position + 1, ByteOrder.BIG_ENDIAN) + 1;
    if (length < MessageLayout.HEADER_LENGTH) {
      return -1;
    }
    if (length <= available) {
      return length;
    }
    byte type = buffer.getByte(position);
    boolean data = type == BackendMessage.DATA_ROW || type == BackendMessage.COPY_DATA;
    return data || available >= MAX_INCOMPLETE_BYTES ? available : 0;
  }

  private static boolean passThrough(ServerConnection server, int length) {
    server.passThroughBytes -= length;
    return !server.passThroughDropped;
  }

  private boolean firstPiece(
      ServerConnection server, UnsafeBuffer buffer, int position, int length) {
    boolean forward = onMessage(server, buffer.getByte(position), buffer, position, length);
    int rest = buffer.getInt(position + 1, ByteOrder.BIG_ENDIAN) + 1 - length;
    if (rest > 0) {
      server.passThroughBytes = rest;
      server.passThroughDropped = !forward;
    }
    return forward;
  }

  private void appendRun(ServerConnection server, UnsafeBuffer buffer, int from, int to) {
    if (to > from && server.owner != null) {
      clients.append(server.owner, buffer, from, to - from);
    }
  }

  private void writeRun(
      ServerConnection server, UnsafeBuffer buffer, ByteBuffer bytes, int from, int to) {
    if (to > from && server.owner != null) {
      if (bytes == null) {
        clients.append(server.owner, buffer, from, to - from);
      } else {
        clients.write(server.owner, buffer, bytes, from, to - from);
      }
    }
  }

  // --- messages

  /** Handles one message; true when it goes to the session that holds the connection. */
  private boolean onMessage(
      ServerConnection server, byte type, DirectBuffer buffer, int offset, int length) {
    switch (server.state) {
      case LOGGING_IN:
        connector.onMessage(server, type, buffer, offset, length);
        return false;
      case IDLE:
        onIdleMessage(server, type, buffer, offset, length);
        return false;
      default:
        return onAnswer(server, type, buffer, offset, length);
    }
  }

  private void onIdleMessage(
      ServerConnection server, byte type, DirectBuffer buffer, int offset, int length) {
    switch (type) {
      case BackendMessage.NOTICE_RESPONSE:
      case BackendMessage.NOTIFICATION_RESPONSE:
        return;
      case BackendMessage.PARAMETER_STATUS:
        onParameterStatus(server, buffer, offset, length);
        return;
      case BackendMessage.ERROR_RESPONSE:
        // The server says goodbye (57P01, 57P05 ...): no client has to know.
        context.lost(server, ErrorText.of(buffer, offset, length));
        return;
      default:
        context.lost(server, "unexpected message from an idle server");
    }
  }

  private boolean onAnswer(
      ServerConnection server, byte type, DirectBuffer buffer, int offset, int length) {
    switch (type) {
      case BackendMessage.NOTICE_RESPONSE:
      case BackendMessage.NOTIFICATION_RESPONSE:
        return server.owner != null;
      case BackendMessage.PARAMETER_STATUS:
        return onParameterStatus(server, buffer, offset, length);
      default:
        break;
    }
    Session owner = server.owner;
    int effects = server.ledger().headEffects();
    byte kind = server.ledger().headKind();
    byte disposition = server.ledger().onMessage(type);
    if (type != BackendMessage.DATA_ROW
        && (effects != 0 || owner != null && owner.pins().isUnsettled())) {
      pinning.onAnswer(server, effects, kind, buffer, offset, length);
    }
    copyAnswered(server, type);
    ledgerAnswered(server);
    switch (type) {
      case BackendMessage.READY_FOR_QUERY:
        if (disposition == ResponseLedger.APPLY) {
          onSettingsApplied(owner);
          return false;
        }
        onReadyForQuery(server, buffer.getByte(offset + MessageLayout.HEADER_LENGTH));
        break;
      case BackendMessage.COMMAND_COMPLETE:
        onCommandComplete(server, buffer, offset, length);
        break;
      case BackendMessage.PARSE_COMPLETE:
        server.statements().confirmed(server.ledger().answeredStatement());
        nameAnswered(server, ResponseLedger.PARSE, server.ledger().answeredName());
        break;
      case BackendMessage.COPY_IN_RESPONSE:
        onCopyIn(server);
        break;
      case BackendMessage.ERROR_RESPONSE:
        return onError(server, disposition, buffer, offset, length);
      default:
        break;
    }
    if (disposition == ResponseLedger.UNEXPECTED) {
      context.lost(server, "unexpected message from the server: " + (char) type);
      return false;
    }
    return disposition == ResponseLedger.FORWARD && owner != null;
  }

  private boolean onError(
      ServerConnection server, byte disposition, DirectBuffer buffer, int offset, int length) {
    Session owner = server.owner;
    if (disposition == ResponseLedger.UNEXPECTED) {
      // Between requests, inside a transaction or while its client was leaving: the server ends the
      // connection.
      server.saidFatal = true;
      return owner != null;
    }
    if (owner == null) {
      if (disposition == ResponseLedger.SWALLOW) {
        // A connection that cannot be cleaned is not handed on.
        context.lost(server, "reset query failed: " + ErrorText.of(buffer, offset, length));
      }
      return false;
    }
    server.saidFatal |= isFatal(buffer, offset, length);
    if (disposition == ResponseLedger.APPLY) {
      server.retire = true;
      clients.fatal(
          owner,
          ErrorText.sqlState(buffer, offset, length),
          ErrorText.message(buffer, offset, length),
          null);
      return false;
    }
    replacing = disposition == ResponseLedger.REPLACE;
    return !replacing;
  }

  /** Severities are ERROR, FATAL and PANIC, and only an ERROR leaves the connection alive. */
  private boolean isFatal(DirectBuffer buffer, int offset, int length) {
    error.wrap(buffer, offset, length);
    return error.field(FieldCode.SEVERITY_NOT_LOCALIZED)
        && buffer.getByte(error.fieldOffset()) != 'E';
  }

  /**
   * Nothing is sent behind a statement that may be a COPY FROM STDIN, so its answer is the one that
   * empties the ledger.
   */
  private void copyAnswered(ServerConnection server, byte type) {
    Session owner = server.owner;
    if (owner == null || owner.copy == CopyPhase.NONE) {
      return;
    }
    boolean failed = type == BackendMessage.ERROR_RESPONSE && owner.copy == CopyPhase.IN;
    if (failed || server.ledger().size() == 0) {
      owner.copy = CopyPhase.NONE;
      if (owner.wait == Wait.COPY_ANSWER) {
        context.resumeLater(owner);
      }
    }
  }

  /**
   * Answers come before the end of a unit too, and a long one waits for them. Behind an error whose
   * Sync was not yet sent, no ReadyForQuery comes to end a wait.
   */
  private void ledgerAnswered(ServerConnection server) {
    Session owner = server.owner;
    if (owner == null || !owner.isWaiting()) {
      return;
    }
    boolean room =
        owner.wait == Wait.LEDGER && server.ledger().size() <= Units.MAX_LEDGER_ENTRIES / 2;
    if (room || owner.wait == Wait.TURN && server.ledger().isSkipping()) {
      context.resumeLater(owner);
    }
  }

  private void onCopyIn(ServerConnection server) {
    Session owner = server.owner;
    if (owner == null) {
      servers.failCopy(server);
      return;
    }
    owner.copy = CopyPhase.IN;
    owner.copyBySimpleQuery = server.ledger().headKind() == ResponseLedger.QUERY;
    if (owner.wait == Wait.COPY_ANSWER) {
      context.resumeLater(owner);
    }
  }

  private void onCommandComplete(
      ServerConnection server, DirectBuffer buffer, int offset, int length) {
    int tag = offset + MessageLayout.HEADER_LENGTH;
    if (buffer.getByte(tag) == 'R' && matches(buffer, tag, offset + length, RESET)) {
      server.ranReset = true;
    } else if (buffer.getByte(tag) == 'D'
        && (matches(buffer, tag, offset + length, DEALLOCATE_ALL)
            || matches(buffer, tag, offset + length, DISCARD_ALL))) {
      forgetStatements(server);
      if (buffer.getByte(tag + 1) == 'I') {
        // What the server reports is set right by the ParameterStatus messages that follow.
        server.settings = SettingsStore.NONE;
        if (server.owner != null) {
          server.owner.pins().discarded();
        }
      }
    }
  }

  private void onSettingsApplied(Session owner) {
    if (owner != null && owner.phase == Session.Phase.READY) {
      owner.settings.accepted();
      if (owner.wait == Wait.SETTINGS) {
        context.resumeLater(owner);
      }
    }
  }

  /** A setting has changed: notes it for server and client; true when the client is to be told. */
  private boolean onParameterStatus(
      ServerConnection server, DirectBuffer buffer, int offset, int length) {
    int end = offset + length;
    int nameAt = offset + MessageLayout.HEADER_LENGTH;
    int valueAt = MessageLayout.stringEnd(buffer, nameAt, end);
    Session owner = server.owner;
    if (server.ledger().headDisposition() == ResponseLedger.APPLY || valueAt < 0) {
      return false;
    }
    String name = buffer.getStringWithoutLengthUtf8(nameAt, valueAt - 1 - nameAt);
    if (!NOT_SETTABLE.contains(name)) {
      String value = buffer.getStringWithoutLengthUtf8(valueAt, end - 1 - valueAt);
      String difference = value.equals(server.defaults.value(name)) ? null : value;
      server.settings = context.shared.settings().with(server.settings, name, difference);
      if (owner != null) {
        owner.settings = context.shared.settings().with(owner.settings, name, difference);
      }
    }
    return owner != null;
  }

  private void forgetStatements(ServerConnection server) {
    PreparedStatement statement;
    while ((statement = server.statements().removeAny()) != null) {
      context.shared.statements().release(statement);
    }
    server.unnamedOwner = -1;
    if (server.owner != null && server.owner.hasStatements()) {
      server.owner.statements().clearSettled(context.shared.statements()::release);
    }
  }

  private void onReadyForQuery(ServerConnection server, byte status) {
    server.status = status;
    Session owner = server.owner;
    if (owner == null) {
      context.releaseLater(server);
      return;
    }
    owner.status = status;
    owner.activeNs = context.nowNs;
    if (status == TransactionStatus.IDLE) {
      // Before the client sees the answer, whose next step may be another's to pin.
      pinning.onTransactionEnd(owner, server.ledger().isEmpty());
    }
    count(server, owner, status);
    if (owner.isWaiting()) {
      onReadyWhileWaiting(server, owner, status);
    }
    if (server.ledger().isEmpty()) {
      if (status == TransactionStatus.IDLE) {
        context.releaseLater(server);
      } else if (owner.poolMode() == PoolMode.STATEMENT) {
        refusing = true;
      }
    }
  }

  private void onReadyWhileWaiting(ServerConnection server, Session owner, byte status) {
    boolean turn =
        server.ledger().isEmpty() && status != TransactionStatus.IDLE && owner.wait == Wait.TURN;
    if (turn || owner.wait == Wait.LEDGER) {
      context.resumeLater(owner);
    }
  }

  private void count(ServerConnection server, Session owner, byte status) {
    owner.queryCount++;
    server.pool().queryCount++;
    server.pool().queryTimeNs += context.nowNs - owner.requestSinceNs;
    if (status == TransactionStatus.IDLE) {
      owner.transactionCount++;
      server.pool().transactionCount++;
      server.pool().transactionTimeNs +=
          context.nowNs
              - (owner.transactionSinceNs == 0 ? owner.requestSinceNs : owner.transactionSinceNs);
      owner.transactionSinceNs = 0;
    } else if (owner.transactionSinceNs == 0) {
      owner.transactionSinceNs = owner.requestSinceNs;
    }
    if (server.ledger().isEmpty()) {
      owner.requestSinceNs = 0;
    }
  }

  private static boolean matches(DirectBuffer buffer, int offset, int end, byte[] tag) {
    if (end - offset != tag.length) {
      return false;
    }
    for (int i = 0; i < tag.length; i++) {
      if (buffer.getByte(offset + i) != tag[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] tag(String text) {
    byte[] tag = new byte[text.length() + 1];
    for (int i = 0; i < text.length(); i++) {
      tag[i] = (byte) text.charAt(i);
    }
    return tag;
  }
}
