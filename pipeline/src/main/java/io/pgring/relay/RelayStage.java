package io.pgring.relay;

import io.pgring.config.Limits;
import io.pgring.pipeline.FrameEvent;
import io.pgring.pipeline.LaneSelector;
import io.pgring.pipeline.Stage;
import io.pgring.pool.Pool;
import io.pgring.pool.ResponseLedger;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.pool.SharedPool;
import io.pgring.protocol.FrontendMessage;
import io.pgring.session.PreparedStatement;
import io.pgring.session.Session;
import io.pgring.session.Session.Phase;
import io.pgring.transport.SlabPool;
import io.pgring.transport.resolve.ResolvedAddress;
import java.nio.channels.SelectionKey;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.MutableDirectBuffer;

/**
 * Takes each frame to its session, keeps it where the session waits, and does at the end of each
 * duty cycle what the cycle has put off: connections handed on, sessions resumed, bytes written,
 * endings. Confined to relay's thread but for {@link #post(Runnable)}.
 */
public final class RelayStage implements Stage, ServerConnection.Events {
  /**
   * Slots beyond max_client_conn: for cancel requests, the console, and to tell clients that they
   * are too many.
   */
  private static final int SPARE_SLOTS = 256;

  private static final int COMMANDS_PER_CYCLE = 64;

  /**
   * Overwrites each frame as soon as it was handled, so that whoever kept a view of it is found
   * out.
   */
  private static final boolean POISON = Boolean.getBoolean("pgring.debug.poison");

  private static final byte POISON_BYTE = (byte) 0xDB;

  private final RelayContext context;
  private final ServerWriter servers;
  private final ClientWriter clients;
  private final Connector connector;
  private final Cancels cancels;
  private final Migration migration;
  private final Checkout checkout;
  private final ServerResponses responses;
  private final ClientRequests requests;
  private final Endings endings;
  private final FrontDoor frontDoor;
  private final ConsoleSessions consoleSessions;
  private final RelayTimers timers;
  private final ParkedFrames parkedFrames = new ParkedFrames();
  private long staleFrames;

  /**
   * @param lane number of the lane
   * @param selector for server sockets, and for clients that do not take their answers
   * @param slabs memory for bytes that wait
   */
  public RelayStage(
      int lane, LaneSelector selector, SlabPool slabs, Shared shared, ErrorHandler errorHandler) {
    context = new RelayContext(lane, selector, slabs, shared, errorHandler);
    servers = new ServerWriter(context);
    clients = new ClientWriter(context);
    connector = new Connector(context, servers, this);
    cancels = new Cancels(context, clients);
    migration = new Migration(context, this);
    Pinning pinning = new Pinning(context);
    checkout = new Checkout(context, connector, servers, clients, cancels, migration, pinning);
    responses = new ServerResponses(context, servers, clients, connector, pinning);
    requests = new ClientRequests(context, checkout, servers, clients, responses, pinning);
    endings = new Endings(context, checkout, connector, clients, pinning);
    frontDoor = new FrontDoor(context, connector, clients);
    consoleSessions = new ConsoleSessions(context, clients);
    timers = new RelayTimers(context, connector, checkout, cancels, clients);
  }

  /** Sessions that a lane has room for; selector agent and relay number them alike. */
  public static int slots(Limits limits) {
    return limits.maxClientConn() + SPARE_SLOTS;
  }

  @Override
  public String name() {
    return "relay";
  }

  // --- from other threads

  /** Runs something on this lane's relay thread; any thread. */
  public void post(Runnable command) {
    context.post(command);
  }

  void cancel(int processId, byte[] key, Runnable done) {
    cancels.cancel(processId, key, done);
  }

  /** Brings a connection that another lane has given away; any thread. */
  void arrive(ServerConnection server) {
    context.inbox.arrive(server);
  }

  /** Tells this lane that it was asked for a connection of that pool; any thread. */
  void need(SharedPool pool) {
    context.inbox.need(pool);
  }

  /** Retires connections to addresses that the name of a server no longer has; on this thread. */
  public void onAddressesChanged(ResolvedAddress resolved) {
    timers.onAddressesChanged(resolved);
  }

  // --- what the console and shutdown ask, on this thread

  /** Sessions of this lane by slot; entries may be null. */
  public Session[] sessions() {
    return context.sessions;
  }

  /** Pools of this lane. */
  public List<Pool> pools() {
    return context.poolList;
  }

  /** The lane's cached clock. */
  public long nowNs() {
    return context.nowNs;
  }

  /** Frames that came for a session that had ended. */
  public long staleFrames() {
    return staleFrames;
  }

  /** Closes the idle connections of paused pools; those in use follow at a later call. */
  public void drainPaused() {
    for (Pool pool : context.poolList) {
      if (pool.shared().isPaused()) {
        checkout.drain(pool);
      }
    }
  }

  /** Lets the sessions go on that waited for the end of a pause. */
  public void resumePaused() {
    for (Pool pool : context.poolList) {
      if (!pool.shared().isPaused()) {
        checkout.resume(pool);
      }
    }
  }

  /** Ends all sessions and server connections of a database at once; null: of all. */
  public void kill(String database) {
    endings.kill(database);
  }

  /** Closes connections that are not to be used any more: at once, or when they are free. */
  public void retireObsolete() {
    timers.retireObsolete();
  }

  /** Retires connections that no longer fit the configuration. */
  void onReload() {
    timers.onReload();
  }

  /** Ends sessions that are in no transaction; true when none is left. */
  public boolean shutDownIdle() {
    return timers.shutDown(false);
  }

  /** Ends all sessions. */
  public void shutDownNow() {
    timers.shutDown(true);
  }

  // --- frames

  @Override
  public void onFrame(FrameEvent frame) {
    int slot = (int) frame.sessionKey();
    if (frame.type() == FrameEvent.CONNECTED) {
      connected(frame, slot);
      return;
    }
    Session session = context.sessions[slot];
    if (session == null || session.key() != frame.sessionKey()) {
      staleFrames++;
      return;
    }
    if (frame.type() < 0) {
      onNotice(session, frame);
    } else if (session.phase.compareTo(Phase.CLOSING) < 0) {
      if (session.isWaiting() || !session.parked().isEmpty() || !evaluate(session, frame)) {
        park(session, frame);
      }
    }
    if (POISON) {
      poison(frame);
    }
  }

  private static void poison(FrameEvent frame) {
    if (frame.length() > 0) {
      ((MutableDirectBuffer) frame.buffer()).setMemory(frame.offset(), frame.length(), POISON_BYTE);
    }
  }

  private void connected(FrameEvent frame, int slot) {
    Session session = new Session(frame.client(), context.slabs, context.nowNs);
    session.id = context.shared.nextConnectionId();
    context.sessions[slot] = session;
    frame.client().writeHandler(ops -> clients.onWritable(session));
  }

  private void onNotice(Session session, FrameEvent frame) {
    if (frame.type() == FrameEvent.DISCONNECTED) {
      clients.gone(session);
    } else if (session.phase == Phase.READY || session.phase == Phase.CONSOLE) {
      if (io.pgring.pipeline.FramingError.isUnknownType(frame.detail())) {
        clients.fatal(session, "08P01", "invalid frontend message type " + frame.detail(), null);
      } else {
        context.closeLater(session, "bad packet header");
      }
    } else if (io.pgring.pipeline.FramingError.isUnknownType(frame.detail())) {
      frontDoor.onUnknownType(session, (byte) frame.detail());
    } else {
      context.closeLater(session, "bad packet header");
    }
  }

  /** Evaluates a frame; false when it must wait, and nothing of it was done. */
  private boolean evaluate(Session session, FrameEvent frame) {
    switch (session.phase) {
      case READY:
        return requests.evaluate(session, frame);
      case CONSOLE:
        consoleSessions.onFrame(session, frame);
        return true;
      case AWAITING_WELCOME:
        return false;
      default:
        if (frame.type() == FrontendMessage.STARTUP) {
          frontDoor.onStartup(session, frame);
        } else {
          frontDoor.onMessage(session, frame);
        }
        session.client().relayed(frame.length());
        return true;
    }
  }

  private void park(Session session, FrameEvent frame) {
    session.saidGoodbye |= frame.type() == FrontendMessage.TERMINATE;
    if (!parkedFrames.add(session.parked(), frame)) {
      clients.fatal(
          session, "53200", "out of memory for waiting requests: slab_budget_bytes is spent", null);
    }
  }

  private void resume(Session session) {
    session.resumeQueued = false;
    while (!session.isWaiting()
        && !session.parked().isEmpty()
        && session.phase.compareTo(Phase.CLOSING) < 0
        && evaluate(session, parkedFrames.first(session.parked()))) {
      parkedFrames.removeFirst(session.parked());
    }
  }

  // --- sockets of servers

  @Override
  public void onServerReady(ServerConnection server, int readyOps) {
    if (server.isLost()) {
      return;
    }
    if (server.state == State.CONNECTING) {
      connector.onConnectable(server);
      return;
    }
    if ((readyOps & SelectionKey.OP_WRITE) != 0) {
      servers.flush(server);
    }
    if ((readyOps & SelectionKey.OP_READ) != 0) {
      responses.onReadable(server);
      if (server.state == State.CLEANING) {
        checkout.clean(server);
      }
    }
  }

  @Override
  public void onStatementSkipped(ServerConnection server, byte kind, int statement, int name) {
    if (name == Refusals.REPLACEMENT) {
      server.replacements().remove();
      return;
    }
    if (kind == ResponseLedger.PARSE && statement == 0) {
      // PostgreSQL drops the unnamed statement when a Parse for it fails.
      server.unnamedOwner = -1;
      if (server.owner != null && name != StatementMapper.RESTORED) {
        server.owner.unnamedParse().clear();
      }
    }
    if (statement != 0) {
      PreparedStatement refused = server.statements().refused(statement);
      if (refused != null) {
        context.shared.statements().release(refused);
      }
    }
    if (name > 0 && server.owner != null && server.owner.hasStatements()) {
      nameSkipped(server.owner, kind, name);
    }
  }

  private void nameSkipped(Session owner, byte kind, int name) {
    if (kind == ResponseLedger.LOCAL_CLOSE) {
      owner.statements().notClosed(name);
      return;
    }
    PreparedStatement forgotten = owner.statements().notPrepared(name);
    if (forgotten != null) {
      context.shared.statements().release(forgotten);
    }
  }

  // --- the end of a duty cycle

  /** Reads the clock; called when the lane wakes up. */
  public void updateClock() {
    context.nowNs = System.nanoTime();
  }

  /** Takes what other threads have left. */
  public int drainInbox() {
    int count = 0;
    Runnable command;
    while (count < COMMANDS_PER_CYCLE && (command = context.inbox.command()) != null) {
      try {
        command.run();
      } catch (RuntimeException | AssertionError fault) {
        context.errorHandler.onError(fault);
      }
      count++;
    }
    ServerConnection arrived;
    while ((arrived = context.inbox.arrival()) != null) {
      checkout.takeIn(arrived);
      count++;
    }
    SharedPool needed;
    while ((needed = context.inbox.need()) != null) {
      checkout.share(needed);
      count++;
    }
    return count;
  }

  /** True when something waits to be done at the end of a cycle. */
  public boolean hasWork() {
    return context.hasWork();
  }

  /** How long the lane may sleep, in nanoseconds. */
  public long untilNextTickNs() {
    return timers.untilNextTickNs();
  }

  /** Does what the cycle has put off, and writes what it has produced. */
  public int endCycle() {
    int work = timers.tickIfDue();
    work += settle();
    work += flush();
    migration.handOver();
    return work;
  }

  // Handing a connection on resumes a session, whose frames may end it or take another: until all
  // is quiet, but not for ever.
  private int settle() {
    int work = 0;
    if (!context.heldBack.isEmpty()) {
      checkout.startHeldBack();
    }
    if (context.welcomeArrived) {
      context.welcomeArrived = false;
      frontDoor.onWelcomeArrived();
      work++;
    }
    for (int round = 0; round < 8 && context.hasUnsettled(); round++) {
      work += releaseServers();
      work += resumeSessions();
      work += closeSessions();
      work += dropServers();
    }
    return work;
  }

  private int releaseServers() {
    int count = context.serversToRelease.size();
    for (int i = 0; i < count; i++) {
      ServerConnection server = context.serversToRelease.get(i);
      server.releaseQueued = false;
      checkout.release(server);
    }
    context.serversToRelease.removeFirst(count);
    return count;
  }

  private int resumeSessions() {
    int count = context.sessionsToResume.size();
    for (int i = 0; i < count; i++) {
      resume(context.sessionsToResume.get(i));
    }
    context.sessionsToResume.removeFirst(count);
    return count;
  }

  private int closeSessions() {
    int count = context.sessionsToClose.size();
    for (int i = 0; i < count; i++) {
      endings.close(context.sessionsToClose.get(i));
    }
    context.sessionsToClose.removeFirst(count);
    return count;
  }

  private int dropServers() {
    int count = context.lostServers.size();
    for (int i = 0; i < count; i++) {
      endings.serverLost(context.lostServers.get(i));
    }
    context.lostServers.removeFirst(count);
    return count;
  }

  private int flush() {
    int serverCount = context.serversToFlush.size();
    for (int i = 0; i < serverCount; i++) {
      ServerConnection server = context.serversToFlush.get(i);
      server.flushQueued = false;
      servers.flush(server);
    }
    context.serversToFlush.removeFirst(serverCount);
    int sessionCount = context.sessionsToFlush.size();
    for (int i = 0; i < sessionCount; i++) {
      Session session = context.sessionsToFlush.get(i);
      session.flushQueued = false;
      clients.flush(session);
      consoleSessions.onFlushed(session);
      endings.finish(session);
    }
    context.sessionsToFlush.removeFirst(sessionCount);
    return serverCount + sessionCount;
  }

  /** Closes every server connection; the last thing a lane does. */
  public void onClose() {
    for (Pool pool : context.poolList) {
      for (int i = pool.serverCount() - 1; i >= 0; i--) {
        ServerConnection server = pool.server(i);
        if (server.state != State.CONNECTING
            && server.state != State.LOGGING_IN
            && server.output().isEmpty()) {
          servers.terminate(server);
        }
        server.channel().close();
      }
    }
    ServerConnection arrived;
    while ((arrived = context.inbox.arrival()) != null) {
      arrived.channel().close();
    }
  }
}
