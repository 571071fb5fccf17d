package io.pgring.relay;

import io.pgring.classify.Classification;
import io.pgring.pipeline.FrameEvent;
import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.TransactionStatus;
import io.pgring.protocol.frontend.ParseFlyweight;
import io.pgring.protocol.frontend.TargetFlyweight;
import io.pgring.session.Pins;
import io.pgring.session.PreparedStatement;
import io.pgring.session.Session;
import io.pgring.session.Session.CopyPhase;
import io.pgring.session.Session.Wait;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Evaluates the frames of sessions that are logged in. Each message is forwarded, rewritten to the
 * server's names, answered in its place, or dropped; or it has to wait, and then nothing of it was
 * done. Malformed messages go to the server as they are, so that it is PostgreSQL that says what is
 * wrong with them.
 */
final class ClientRequests {
  private final RelayContext context;
  private final ServerWriter servers;
  private final ClientWriter clients;
  private final ServerResponses responses;
  private final Units units;
  private final StatementMapper statements;
  private final Refusals refusals;
  private final Pinning pinning;
  private final ParseFlyweight parse = new ParseFlyweight();
  private final TargetFlyweight target = new TargetFlyweight();
  private boolean forwarded;

  ClientRequests(
      RelayContext context,
      Checkout checkout,
      ServerWriter servers,
      ClientWriter clients,
      ServerResponses responses,
      Pinning pinning) {
    this.context = context;
    this.servers = servers;
    this.clients = clients;
    this.responses = responses;
    this.pinning = pinning;
    this.units = new Units(context, checkout, servers, clients);
    this.statements = new StatementMapper(context, servers);
    this.refusals = new Refusals(context, servers);
  }

  /**
   * Evaluates one frame.
   *
   * @return false when it must wait; {@code session.wait} then says for what
   */
  boolean evaluate(Session session, FrameEvent frame) {
    forwarded = false;
    boolean consumed = frame.startsMessage() ? message(session, frame) : fragment(session, frame);
    if (consumed) {
      if (forwarded) {
        session.pendingCreditBytes += frame.length();
        session.insideMessage = frame.part() == FrameEvent.FIRST || frame.part() == FrameEvent.MORE;
      } else {
        session.client().relayed(frame.length());
      }
      if (frame.startsMessage()) {
        session.dropFragments = !forwarded;
      }
    }
    return consumed;
  }

  private boolean fragment(Session session, FrameEvent frame) {
    if (!session.dropFragments && session.server != null) {
      forward(session, frame);
    }
    return true;
  }

  private boolean message(Session session, FrameEvent frame) {
    byte type = frame.type();
    if (type == FrontendMessage.TERMINATE) {
      session.saidGoodbye = true;
      context.closeLater(session, "client close request");
      return true;
    }
    if (session.failWaitingRequest) {
      return dropFailedRequest(session, type);
    }
    if (session.skipToSync) {
      return skip(session, type);
    }
    if (session.copy == CopyPhase.ASKED) {
      return units.mustWait(session, Wait.COPY_ANSWER);
    }
    if (session.copy == CopyPhase.IN) {
      return duringCopy(session, frame);
    }
    session.activeNs = context.nowNs;
    switch (type) {
      case FrontendMessage.QUERY:
        return query(session, frame);
      case FrontendMessage.PARSE:
        return parse(session, frame);
      case FrontendMessage.BIND:
        return bind(session, frame);
      case FrontendMessage.DESCRIBE:
        return describe(session, frame);
      case FrontendMessage.EXECUTE:
        return execute(session, frame);
      case FrontendMessage.CLOSE:
        return close(session, frame);
      case FrontendMessage.SYNC:
        return sync(session, frame);
      case FrontendMessage.FLUSH:
        return flush(session, frame);
      case FrontendMessage.FUNCTION_CALL:
        return functionCall(session, frame);
      case FrontendMessage.COPY_DATA:
      case FrontendMessage.COPY_DONE:
      case FrontendMessage.COPY_FAIL:
        // What a client had under way when its COPY failed; PostgreSQL drops it too.
        return true;
      default:
        clients.fatal(session, "08P01", "invalid frontend message type " + (type & 0xff), null);
        return true;
    }
  }

  private void forward(Session session, FrameEvent frame) {
    forwarded = true;
    servers.append(session.server, frame.buffer(), frame.offset(), frame.length());
  }

  private void push(Session session, byte kind) {
    session.server.ledger().push(kind, ResponseLedger.FORWARD);
  }

  private void pushStatement(Session session, byte kind, int effects) {
    session.pins().ranStatement = true;
    session.server.ledger().pushStatement(kind, effects);
  }

  // --- simple protocol

  private boolean query(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    session.server.unnamedOwner = -1;
    session.unnamedParse().clear();
    int effects = Pinning.effects(session, frame.classification());
    if (effects != 0 && !session.server.ledger().isSkipping()) {
      Pinning.Refusal refusal = pinning.admit(session, effects);
      if (refusal != null) {
        refusals.refuseQuery(session, refusal.sqlState(), refusal.message(), refusal.hint());
        session.atUnitStart = true;
        return true;
      }
    }
    if (mayCopyIn(frame) && !session.server.ledger().isSkipping()) {
      session.copy = CopyPhase.ASKED;
      session.copyBySimpleQuery = true;
    }
    pushStatement(session, ResponseLedger.QUERY, effects);
    forward(session, frame);
    session.atUnitStart = true;
    return true;
  }

  private boolean functionCall(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    push(session, ResponseLedger.FUNCTION_CALL);
    forward(session, frame);
    session.atUnitStart = true;
    return true;
  }

  private static boolean mayCopyIn(FrameEvent frame) {
    // The text of a fragmented message was not seen whole.
    return frame.part() != FrameEvent.WHOLE
        || Classification.has(frame.classification(), Classification.MAY_COPY_IN);
  }

  // --- extended protocol

  private boolean parse(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    parse.wrap(frame.buffer(), frame.offset(), frame.length());
    boolean named = StatementMapper.isMapped(session) && parse.valid() && parse.nameLength() > 0;
    if (named
        && StatementMapper.isUnsettled(
            session, frame.buffer(), parse.nameOffset(), parse.nameLength())) {
      return units.mustWait(session, Wait.LEDGER);
    }
    session.atUnitStart = false;
    if (!named) {
      // Where names are the server's own, which statement a Bind means is not followed: once one
      // may
      // be a COPY, any may.
      session.unnamedStatementMayCopy =
          mayCopyIn(frame) || !StatementMapper.isMapped(session) && session.unnamedStatementMayCopy;
      session.pins().statementEffects = Pinning.effects(session, frame.classification());
      if (StatementMapper.isMapped(session)
          && frame.part() != FrameEvent.WHOLE
          && frame.buffer().getByte(frame.offset() + 5) != 0) {
        refusals.refuse(
            session,
            "54000",
            "a named statement longer than 65536 bytes cannot be prepared through a shared connection",
            "use pool_mode: session for this database, or an unnamed statement");
        return true;
      }
      session.server.unnamedOwner = session.key();
      StatementMapper.keepUnnamed(session, frame);
      push(session, ResponseLedger.PARSE);
      forward(session, frame);
      return true;
    }
    return parseNamed(session, frame);
  }

  private boolean parseNamed(Session session, FrameEvent frame) {
    DirectBuffer buffer = frame.buffer();
    if (session.statements().find(buffer, parse.nameOffset(), parse.nameLength()) != null) {
      String name = Refusals.text(buffer, parse.nameOffset(), parse.nameLength());
      refusals.refuse(session, "42P05", "prepared statement \"" + name + "\" already exists", null);
      return true;
    }
    if (session.statements().size() >= context.maxClientPreparedStatements) {
      refusals.refuse(
          session,
          "54000",
          "too many prepared statements: max_client_prepared_statements is "
              + context.maxClientPreparedStatements,
          "close statements that are no longer used, or raise the limit");
      return true;
    }
    session.pool.clientParseCount++;
    PreparedStatement statement =
        context
            .shared
            .statements()
            .acquire(buffer, parse.sqlOffset(), parse.sqlAndTypesLength(), frame.classification());
    int name = session.statements().put(buffer, parse.nameOffset(), parse.nameLength(), statement);
    ServerConnection server = session.server;
    if (server.statements().isUsable(statement, server.unit)) {
      server.ledger().push(ResponseLedger.LOCAL_PARSE, ResponseLedger.FORWARD, 0, name);
      responses.answerLocally(server);
    } else {
      statements.sendParse(server, statement, ResponseLedger.FORWARD, name);
    }
    return true;
  }

  private boolean bind(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    // Only the names are looked at: the values may be megabytes, and arrive later.
    int end = frame.offset() + frame.length();
    int portalAt = frame.offset() + MessageLayout.HEADER_LENGTH;
    int nameAt = MessageLayout.stringEnd(frame.buffer(), portalAt, end);
    int restAt = nameAt < 0 ? -1 : MessageLayout.stringEnd(frame.buffer(), nameAt, end);
    int nameLength = restAt - 1 - nameAt;
    if (restAt >= 0 && StatementMapper.isUnsettled(session, frame.buffer(), nameAt, nameLength)) {
      return units.mustWait(session, Wait.LEDGER);
    }
    session.atUnitStart = false;
    if (!StatementMapper.isMapped(session) || restAt < 0) {
      session.portalMayCopy = session.unnamedStatementMayCopy;
      return pass(session, frame, ResponseLedger.BIND);
    }
    boolean namedPortal = nameAt - portalAt > 1;
    if (nameLength == 0) {
      session.portalMayCopy = session.unnamedStatementMayCopy;
      bindEffects(session.pins(), namedPortal, session.pins().statementEffects);
      return passUnnamed(session, frame, ResponseLedger.BIND);
    }
    PreparedStatement statement = StatementMapper.find(session, frame.buffer(), nameAt, nameLength);
    if (statement == null) {
      refusals.refuseUnknown(session, frame.buffer(), nameAt, nameLength);
      return true;
    }
    session.portalMayCopy =
        Classification.has(statement.classification(), Classification.MAY_COPY_IN);
    bindEffects(session.pins(), namedPortal, Pinning.effects(session, statement.classification()));
    statements.ensurePrepared(session.server, statement);
    session.pool.bindCount++;
    push(session, ResponseLedger.BIND);
    forwardRenamed(session, frame, portalAt, nameAt, nameLength, statement.serverName());
    return true;
  }

  private static void bindEffects(Pins pins, boolean namedPortal, int effects) {
    if (namedPortal) {
      pins.namedPortalCauses |=
          effects & (Classification.EFFECTS_PINNING | Classification.EFFECTS_SEQUENCE);
    } else {
      pins.portalEffects = effects;
    }
  }

  private void forwardRenamed(
      Session session,
      FrameEvent frame,
      int portalAt,
      int nameAt,
      int nameLength,
      byte[] serverName) {
    ServerConnection server = session.server;
    context.scratch.putByte(0, FrontendMessage.BIND);
    context.scratch.putInt(
        1, frame.messageLength() - 1 - nameLength + serverName.length, ByteOrder.BIG_ENDIAN);
    servers.append(server, context.scratch, 0, MessageLayout.HEADER_LENGTH);
    servers.append(server, frame.buffer(), portalAt, nameAt - portalAt);
    servers.append(server, serverName);
    int terminator = nameAt + nameLength;
    servers.append(
        server, frame.buffer(), terminator, frame.offset() + frame.length() - terminator);
    forwarded = true;
  }

  private boolean describe(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    target.wrap(frame.buffer(), frame.offset(), frame.length());
    if (namesUnsettled(session, frame)) {
      return units.mustWait(session, Wait.LEDGER);
    }
    session.atUnitStart = false;
    boolean portal = !target.valid() || target.kind() == TargetFlyweight.PORTAL;
    byte kind = portal ? ResponseLedger.DESCRIBE_PORTAL : ResponseLedger.DESCRIBE_STATEMENT;
    if (portal || !StatementMapper.isMapped(session)) {
      return pass(session, frame, kind);
    }
    if (target.nameLength() == 0) {
      return passUnnamed(session, frame, kind);
    }
    PreparedStatement statement =
        StatementMapper.find(session, frame.buffer(), target.nameOffset(), target.nameLength());
    if (statement == null) {
      refusals.refuseUnknown(session, frame.buffer(), target.nameOffset(), target.nameLength());
      return true;
    }
    statements.ensurePrepared(session.server, statement);
    push(session, kind);
    int length =
        FrontendEncoder.describe(
            context.scratch, 0, TargetFlyweight.STATEMENT, statement.serverName());
    servers.append(session.server, context.scratch, 0, length);
    return true;
  }

  private boolean execute(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    session.atUnitStart = false;
    boolean skipping = session.server.ledger().isSkipping();
    int effects = portalEffects(session.pins(), frame);
    if (effects != 0 && !skipping) {
      Pinning.Refusal refusal = pinning.admit(session, effects);
      if (refusal != null) {
        refusals.refuse(session, refusal.sqlState(), refusal.message(), refusal.hint());
        return true;
      }
    }
    pushStatement(session, ResponseLedger.EXECUTE, effects);
    forward(session, frame);
    if (!session.portalMayCopy || skipping) {
      return true;
    }
    session.copy = CopyPhase.ASKED;
    session.copyBySimpleQuery = false;
    // Should it be no COPY after all, the server would keep its answer until the Sync, which waits.
    servers.internalFlush(session.server);
    return true;
  }

  private static int portalEffects(Pins pins, FrameEvent frame) {
    int portalAt = frame.offset() + MessageLayout.HEADER_LENGTH;
    boolean named =
        frame.length() > MessageLayout.HEADER_LENGTH && frame.buffer().getByte(portalAt) != 0;
    return named ? pins.namedPortalCauses : pins.portalEffects;
  }

  private boolean close(Session session, FrameEvent frame) {
    if (!units.holdsServer(session)) {
      return false;
    }
    target.wrap(frame.buffer(), frame.offset(), frame.length());
    if (namesUnsettled(session, frame)) {
      return units.mustWait(session, Wait.LEDGER);
    }
    session.atUnitStart = false;
    boolean named =
        target.valid()
            && target.kind() == TargetFlyweight.STATEMENT
            && target.nameLength() > 0
            && StatementMapper.isMapped(session);
    if (!named) {
      return pass(session, frame, ResponseLedger.CLOSE);
    }
    int change = 0;
    if (session.hasStatements() && !session.server.ledger().isSkipping()) {
      change = session.statements().close(frame.buffer(), target.nameOffset(), target.nameLength());
    }
    session.server.ledger().push(ResponseLedger.LOCAL_CLOSE, ResponseLedger.FORWARD, 0, change);
    responses.answerLocally(session.server);
    return true;
  }

  private boolean namesUnsettled(Session session, FrameEvent frame) {
    return target.valid()
        && target.kind() == TargetFlyweight.STATEMENT
        && StatementMapper.isUnsettled(
            session, frame.buffer(), target.nameOffset(), target.nameLength());
  }

  private boolean sync(Session session, FrameEvent frame) {
    if (session.server == null && frame.length() == MessageLayout.HEADER_LENGTH) {
      clients.readyForQuery(session, TransactionStatus.IDLE);
      session.atUnitStart = true;
      return true;
    }
    if (!units.holdsServer(session)) {
      return false;
    }
    session.atUnitStart = true;
    return pass(session, frame, ResponseLedger.SYNC);
  }

  private boolean flush(Session session, FrameEvent frame) {
    if (session.server != null) {
      forward(session, frame);
    }
    return true;
  }

  /** Passes a message about the unnamed statement on, if the client has one. */
  private boolean passUnnamed(Session session, FrameEvent frame, byte kind) {
    if (statements.ensureUnnamed(session)) {
      return pass(session, frame, kind);
    }
    refusals.refuseUnnamed(session);
    return true;
  }

  private boolean pass(Session session, FrameEvent frame, byte kind) {
    push(session, kind);
    forward(session, frame);
    return true;
  }

  // --- COPY FROM STDIN

  private boolean duringCopy(Session session, FrameEvent frame) {
    switch (frame.type()) {
      case FrontendMessage.SYNC:
      case FrontendMessage.FLUSH:
        // The server ignores them in this mode, at a moment that depends on when it notices a bad
        // row.
        return true;
      case FrontendMessage.COPY_DONE:
      case FrontendMessage.COPY_FAIL:
        session.copy = session.copyBySimpleQuery ? CopyPhase.ASKED : CopyPhase.NONE;
        forward(session, frame);
        return true;
      case FrontendMessage.COPY_DATA:
        forward(session, frame);
        return true;
      default:
        // The server refuses it and fails the COPY: its answer is the answer to the COPY.
        session.copy = session.copyBySimpleQuery ? CopyPhase.ASKED : CopyPhase.NONE;
        forward(session, frame);
        return true;
    }
  }

  // --- errors of our own

  /** The error of the request that waited has been sent; what belongs to it is dropped. */
  private boolean dropFailedRequest(Session session, byte type) {
    session.failWaitingRequest = false;
    if (type == FrontendMessage.QUERY || type == FrontendMessage.FUNCTION_CALL) {
      clients.readyForQuery(session, TransactionStatus.IDLE);
      return true;
    }
    session.skipToSync = true;
    return skip(session, type);
  }

  private boolean skip(Session session, byte type) {
    if (type == FrontendMessage.SYNC) {
      session.skipToSync = false;
      session.atUnitStart = true;
      clients.readyForQuery(session, TransactionStatus.IDLE);
    }
    return true;
  }
}
