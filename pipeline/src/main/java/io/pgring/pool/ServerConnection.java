package io.pgring.pool;

import io.pgring.pipeline.Selectable;
import io.pgring.protocol.TransactionStatus;
import io.pgring.session.Session;
import io.pgring.settings.ReportedSettings;
import io.pgring.settings.SessionSettings;
import io.pgring.settings.SettingsStore;
import io.pgring.transport.ByteQueue;
import io.pgring.transport.Channel;
import io.pgring.transport.SlabPool;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;

/**
 * A connection to a PostgreSQL server and what is known of it. Owned by relay's thread of one lane
 * at a time; the fields are plain for that reason.
 */
public final class ServerConnection implements Selectable, ResponseLedger.Skipped {
  /** The session that holds it, or null. */
  public Session owner;

  /** Number by which logs and console name it; unique in the process. */
  public long id;

  public State state = State.CONNECTING;

  /** Lane that it is on its way to, while it is moving. */
  public int destination;

  /** Status byte of the last ReadyForQuery. */
  public byte status = TransactionStatus.IDLE;

  public SelectionKey key;

  /** Interest in reading is off because the client does not take what it asked for. */
  public boolean readStopped;

  /** The socket has not taken everything, and relay is told when it does. */
  public boolean writeBlocked;

  public boolean flushQueued;
  public boolean releaseQueued;

  /** To be closed instead of being handed on: too old, a changed configuration, or a fault. */
  public boolean retire;

  /**
   * The server announced with a FATAL error that it ends the connection, and its client was told.
   */
  public boolean saidFatal;

  /**
   * The server, or pgring, has refused the login; trying again without a change is of little use.
   */
  public boolean loginRefused;

  /** Why the connection is of no more use; null while it is. */
  public String lostReason;

  /** Bytes of a large message whose rest passes through without a look. */
  public int passThroughBytes;

  /** The rest of the large message is dropped rather than passed on. */
  public boolean passThroughDropped;

  /**
   * Cancel requests that may still hit this connection: it is not handed on before they have ended.
   */
  public int cancelsInFlight;

  /** When the last of them was sent. */
  public long cancelSinceNs;

  /** Key of the session whose Parse last set the unnamed statement; -1 when that is nobody's. */
  public long unnamedOwner = -1;

  /** Request units sent so far; what a Parse and the messages that use it have in common. */
  public long unit;

  /** Where it is connected to: cancel requests go there, whatever the name resolves to by then. */
  public SocketAddress address;

  /** Generation of the pool's configuration that it was made with. */
  public long madeFor;

  /** What its login reported: the values that settings go back to. */
  public ReportedSettings defaults;

  /** The settings it holds beyond those of its login. */
  public SessionSettings settings = SettingsStore.NONE;

  /** RESET has run since: of {@link #settings} what the server does not report is in doubt. */
  public boolean ranReset;

  /**
   * A session has held it: one that has served nobody yet is not closed for the sake of another
   * pool.
   */
  public boolean used;

  /** The reset query of session mode has to run before it is handed on. */
  public boolean resetDue;

  /** It holds what a session has left: DISCARD ALL has to run before it is handed on. */
  public boolean discardDue;

  /** Process id and key for cancel requests to this server. */
  public int processId;

  public byte[] cancelKey = new byte[0];

  public final long createdNs;
  public long connectedNs;
  public long idleSinceNs;

  /** Since when its owner works on it for a transaction; 0 when it does not. */
  public long heldSinceNs;

  /** When what is being cleaned after its client left must be over. */
  public long cleanDeadlineNs;

  /** Login exchange, only while it lasts. */
  public Object login;

  private Pool pool;
  private final Channel channel;
  private final ByteQueue output;
  private final ByteQueue incomplete;
  private final ResponseLedger ledger = new ResponseLedger(this);
  private final ServerStatements statements;
  private final long lifetimeNs;
  private Events events;
  private ArrayDeque<byte[]> replacements;

  /** States of a server connection. */
  public enum State {
    CONNECTING,
    /** Startup packet sent, not yet ready for queries. */
    LOGGING_IN,
    /** In its pool. */
    IDLE,
    /** A session holds it. */
    ACTIVE,
    /** Its session has left; what it has begun is ended before the connection is handed on. */
    CLEANING,
    /** On its way to another lane. */
    MOVING,
    CLOSED
  }

  /** Relay, as far as a server connection calls it. */
  public interface Events {
    void onServerReady(ServerConnection server, int readyOps);

    void onStatementSkipped(ServerConnection server, byte kind, int statement, int name);
  }

  /**
   * @param lifetimeNs age at which it is closed once idle, jittered by the caller; 0: after its
   *     first use
   */
  public ServerConnection(
      Pool pool, Channel channel, SlabPool slabs, Events events, long nowNs, long lifetimeNs) {
    this.pool = pool;
    this.channel = channel;
    this.output = new ByteQueue(slabs);
    this.incomplete = new ByteQueue(slabs);
    this.events = events;
    this.createdNs = nowNs;
    this.lifetimeNs = lifetimeNs;
    this.statements = new ServerStatements();
  }

  /**
   * Makes the connection one of another lane, whose relay calls this when it has received it. It is
   * clean, so that nothing of its former lane is left in it but what holds in both.
   */
  public void movedTo(Pool pool, SlabPool slabs, Events events) {
    this.pool = pool;
    this.events = events;
    output.moveTo(slabs);
    incomplete.moveTo(slabs);
    state = State.ACTIVE;
    used = false;
    // Sessions are numbered by lane.
    unnamedOwner = -1;
  }

  @Override
  public void onReady(int readyOps) {
    events.onServerReady(this, readyOps);
  }

  @Override
  public void onSkipped(byte kind, int statement, int name) {
    events.onStatementSkipped(this, kind, statement, name);
  }

  /** How a line of the log begins: number, database, user and address. */
  @Override
  public String toString() {
    return "S-"
        + id
        + ": "
        + Session.printable(pool.shared().key().database())
        + "/"
        + Session.printable(pool.shared().credentials().user())
        + "@"
        + channel.remote();
  }

  public Pool pool() {
    return pool;
  }

  public Channel channel() {
    return channel;
  }

  /** Bytes for the server that its socket has not taken. */
  public ByteQueue output() {
    return output;
  }

  /** Head of a message from the server whose rest has not come. */
  public ByteQueue incomplete() {
    return incomplete;
  }

  public ResponseLedger ledger() {
    return ledger;
  }

  public ServerStatements statements() {
    return statements;
  }

  /** True when nothing is owed and nothing is open on it. */
  public boolean isClean() {
    return ledger.isEmpty()
        && status == TransactionStatus.IDLE
        && output.isEmpty()
        && passThroughBytes == 0;
  }

  public boolean isLost() {
    return lostReason != null;
  }

  public boolean isExpired(long nowNs) {
    return lifetimeNs > 0 ? nowNs - createdNs >= lifetimeNs : unit > 0;
  }

  /** Messages that replace errors provoked on purpose, in the order of their ledger entries. */
  public ArrayDeque<byte[]> replacements() {
    if (replacements == null) {
      replacements = new ArrayDeque<>();
    }
    return replacements;
  }
}
