package io.pgring.session;

import io.pgring.config.DatabaseConfig;
import io.pgring.config.PoolMode;
import io.pgring.config.Timeouts;
import io.pgring.pipeline.ClientConnection;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.protocol.TransactionStatus;
import io.pgring.settings.SessionSettings;
import io.pgring.settings.SettingsStore;
import io.pgring.settings.StartupSettings;
import io.pgring.transport.ByteQueue;
import io.pgring.transport.SlabPool;

/**
 * One client as relay sees it, from CONNECTED to close. Owned by relay's thread; the fields are
 * plain because nobody else touches them.
 */
public final class Session {
  /** The server connection this session holds, or null. */
  public ServerConnection server;

  /** The pool of its database and user, once it has logged in. */
  public Pool pool;

  /** Number by which logs and console name it; unique in the process. */
  public long id;

  /** Where the session stands in its life. */
  public Phase phase = Phase.STARTUP;

  /** Why frames are kept instead of being evaluated; {@link Wait#NONE} when they are not. */
  public Wait wait = Wait.NONE;

  /** When the current wait began, by the lane's clock. */
  public long waitSinceNs;

  /** When the session was accepted. */
  public long connectedNs;

  /** When the request that is running, or waiting, was received; meaningful only while one is. */
  public long requestSinceNs;

  /** When the session last had something to do. */
  public long activeNs;

  /** When the transaction that is open began; 0 when none is. */
  public long transactionSinceNs;

  /** The status of the last ReadyForQuery that the client was sent. */
  public byte status = TransactionStatus.IDLE;

  /**
   * The client's frames are dropped up to the next Sync, because pgring answered one of them with
   * an error.
   */
  public boolean skipToSync;

  /** Where the session stands in a COPY FROM STDIN. */
  public CopyPhase copy = CopyPhase.NONE;

  /**
   * The COPY was started by a Query, so that its answer ends with ReadyForQuery rather than with
   * the command.
   */
  public boolean copyBySimpleQuery;

  /** The settings the client has asked for, beyond those of a fresh login. */
  public SessionSettings settings = SettingsStore.NONE;

  /** Timeouts of its user. */
  public Timeouts timeouts;

  /** The parameters of the startup packet, until the client is welcomed. */
  public StartupSettings startup;

  /** The unnamed statement may be a COPY FROM STDIN. */
  public boolean unnamedStatementMayCopy;

  /** The portal that was bound last may run a COPY FROM STDIN. */
  public boolean portalMayCopy;

  /** An error was sent instead of the answer to the request that waits first: it is dropped. */
  public boolean failWaitingRequest;

  /** Counted as waiting for the welcome of its pool. */
  public boolean awaitsWelcome;

  /** Counted as a client of its database and user. */
  public boolean counted;

  /** The client speaks protocol 3.2 or later, which has cancel keys of more than 4 bytes. */
  public boolean longCancelKey;

  /**
   * What happens to the further fragments of the message whose first fragment was last evaluated.
   */
  public boolean dropFragments;

  /** The last fragment has not come yet: the server has an incomplete message. */
  public boolean insideMessage;

  /** The next frame begins a request unit: the one before was a Query or a Sync. */
  public boolean atUnitStart = true;

  /** Bytes forwarded to the server connection's queue for which credit was not yet returned. */
  public int pendingCreditBytes;

  /**
   * The client has sent Terminate, rather than vanished: what it sent before is still done, though
   * it may wait and the socket be closed meanwhile.
   */
  public boolean saidGoodbye;

  /** The socket takes nothing any more. */
  public boolean broken;

  /** Why the session is being closed, for the log. */
  public String closeReason = "";

  /** Login exchange, only during login. */
  public Object login;

  /** State of the administration console, only for its sessions. */
  public Object console;

  /** Answer of the console that is not complete, or null. */
  public Object consoleAnswer;

  /** Neighbours in the queue of the pool. */
  public Session nextWaiting;

  public Session previousWaiting;

  /** Position in the queue of the pool, over all lanes: smaller waits longer. */
  public long ticket;

  /**
   * Marks the session as queued in one of relay's work lists, so that it is in each at most once.
   */
  public boolean flushQueued;

  public boolean resumeQueued;

  /** Bytes wait for the client's socket, and relay is told when it takes them. */
  public boolean writeBlocked;

  public long writeBlockedSinceNs;

  private final ClientConnection client;
  private final ByteQueue output;
  private final ByteQueue parked;
  private final ByteQueue unnamedParse;
  private final Pins pins = new Pins();
  private ClientStatements statements;
  private String userName = "";
  private String databaseName = "";
  private String applicationName = "";
  private DatabaseConfig database;
  private PoolMode poolMode = PoolMode.TRANSACTION;
  private int processId;
  private byte[] cancelKey = new byte[0];

  /** Queries relayed, and what they were, for the console. */
  public long queryCount;

  public long transactionCount;

  public Session(ClientConnection client, SlabPool slabs, long nowNs) {
    this.client = client;
    this.output = new ByteQueue(slabs);
    this.parked = new ByteQueue(slabs);
    this.unnamedParse = new ByteQueue(slabs);
    this.connectedNs = nowNs;
    this.activeNs = nowNs;
  }

  /** Phases of a session's life, in their order. */
  public enum Phase {
    /** No startup packet yet. */
    STARTUP,
    /** Authentication messages are exchanged. */
    AUTHENTICATING,
    /**
     * Authenticated; waits for the first server connection of the pool, whose settings are the
     * welcome.
     */
    AWAITING_WELCOME,
    /** Requests are served. */
    READY,
    /** Requests go to the administration console. */
    CONSOLE,
    /** What is queued is still sent, then the socket is closed. */
    CLOSING,
    /** Handed back to the selector agent. */
    CLOSED
  }

  /** What a session can wait for; its frames are parked meanwhile. */
  public enum Wait {
    NONE,
    /** For a server connection of the pool. */
    SERVER,
    /** For the end of the units that are under way, because others queue for the connection. */
    TURN,
    /** For the answer to a statement that may be a COPY FROM STDIN. */
    COPY_ANSWER,
    /** For the end of a cancel request that may still hit the server connection. */
    CANCEL,
    /** For the server's word on settings that no server has accepted yet. */
    SETTINGS,
    /** For room in the ledger of the server connection. */
    LEDGER,
    /** For the answer of the console to the command before. */
    CONSOLE
  }

  /** Phases of COPY FROM STDIN. */
  public enum CopyPhase {
    NONE,
    /** A statement that may be one was sent; its answer is awaited before anything else is. */
    ASKED,
    /** The server takes copy data. */
    IN
  }

  public ClientConnection client() {
    return client;
  }

  public long key() {
    return client.key();
  }

  /** Bytes for the client that its socket has not taken. */
  public ByteQueue output() {
    return output;
  }

  /** Frames that wait, as records of relay's format. */
  public ByteQueue parked() {
    return parked;
  }

  /**
   * The Parse message of the client's unnamed statement, which has to be there when the client is
   * served by another server connection; empty when it has none.
   */
  public ByteQueue unnamedParse() {
    return unnamedParse;
  }

  /** What it has left in its server connection that cannot follow it. */
  public Pins pins() {
    return pins;
  }

  public boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  public boolean isWaiting() {
    return wait != Wait.NONE;
  }

  /** Names of this client's prepared statements; made when it has its first. */
  public ClientStatements statements() {
    if (statements == null) {
      statements = new ClientStatements();
    }
    return statements;
  }

  public boolean hasStatements() {
    return statements != null && !statements.isEmpty();
  }

  /** Fixes who the session is, once its startup packet is accepted. */
  public void identify(String userName, String databaseName, String applicationName) {
    this.userName = userName;
    this.databaseName = databaseName;
    this.applicationName = applicationName;
  }

  /** Fixes what it uses, once it has logged in. */
  public void admit(DatabaseConfig database, PoolMode poolMode, int processId, byte[] cancelKey) {
    this.database = database;
    this.poolMode = poolMode;
    this.processId = processId;
    this.cancelKey = cancelKey;
  }

  /** How a line of the log begins: number, database, user and address. */
  @Override
  public String toString() {
    return "C-"
        + id
        + ": "
        + (databaseName.isEmpty() ? "(nodb)" : printable(databaseName))
        + "/"
        + (userName.isEmpty() ? "(nouser)" : printable(userName))
        + "@"
        + client.channel().remote();
  }

  /** A name that is safe to be written in a line of a log, whatever a client calls itself. */
  public static String printable(String name) {
    StringBuilder text = new StringBuilder(name.length());
    name.chars()
        .forEach(
            c ->
                text.append(
                    c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029
                        ? '?'
                        : (char) c));
    return text.toString();
  }

  public String userName() {
    return userName;
  }

  public String databaseName() {
    return databaseName;
  }

  public String applicationName() {
    return applicationName;
  }

  public DatabaseConfig database() {
    return database;
  }

  public PoolMode poolMode() {
    return poolMode;
  }

  /** Process id that the client was told; part of the cancel key. */
  public int processId() {
    return processId;
  }

  public byte[] cancelKey() {
    return cancelKey;
  }
}
