package io.pgring.relay;

import io.pgring.config.DatabaseConfig;
import io.pgring.config.PgringConfig;
import io.pgring.config.PoolMode;
import io.pgring.config.UserConfig;
import io.pgring.login.AuthMethod;
import io.pgring.login.ClientLogin;
import io.pgring.login.LoginFailure;
import io.pgring.login.secret.Secret;
import io.pgring.pipeline.FrameEvent;
import io.pgring.pool.Pool;
import io.pgring.protocol.BackendEncoder;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.TransactionStatus;
import io.pgring.protocol.startup.CancelRequestFlyweight;
import io.pgring.protocol.startup.StartupFlyweight;
import io.pgring.session.Session;
import io.pgring.session.Session.Phase;
import io.pgring.settings.ReportedSettings;
import io.pgring.settings.StartupSettings;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Lets clients in: startup packet, authentication, limits, welcome. Allocates and logs, as a login
 * may. Relay's thread; password hashing runs elsewhere.
 *
 * @see <a
 *     href="https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-START-UP">Start-up</a>
 */
final class FrontDoor {
  private static final int CANCEL_KEY_BYTES = 4;
  private static final int LONG_CANCEL_KEY_BYTES = 32;

  private final RelayContext context;
  private final Connector connector;
  private final ClientWriter clients;
  private final StartupFlyweight startup = new StartupFlyweight();
  private final CancelRequestFlyweight cancelRequest = new CancelRequestFlyweight();

  FrontDoor(RelayContext context, Connector connector, ClientWriter clients) {
    this.context = context;
    this.connector = connector;
    this.clients = clients;
  }

  // --- startup packets

  /** Handles an untyped packet. */
  void onStartup(Session session, FrameEvent frame) {
    DirectBuffer buffer = frame.buffer();
    int code = buffer.getInt(frame.offset() + Integer.BYTES, ByteOrder.BIG_ENDIAN);
    switch (code) {
      case FrontendMessage.SSL_REQUEST:
      case FrontendMessage.GSSENC_REQUEST:
        context.scratch.putByte(0, (byte) 'N');
        clients.append(session, context.scratch, 0, 1);
        break;
      case FrontendMessage.CANCEL_REQUEST:
        onCancel(session, frame);
        break;
      default:
        onStartupMessage(session, frame, code);
        break;
    }
  }

  private void onCancel(Session session, FrameEvent frame) {
    cancelRequest.wrap(frame.buffer(), frame.offset(), frame.length());
    int lane = cancelRequest.valid() ? Cancels.laneOf(cancelRequest.pid()) : -1;
    RelayStage[] lanes = context.shared.lanes();
    if (lane < 0 || lane >= lanes.length) {
      context.closeLater(session, "bad cancel request");
      return;
    }
    byte[] key = new byte[cancelRequest.keyLength()];
    frame.buffer().getBytes(cancelRequest.keyOffset(), key);
    int processId = cancelRequest.pid();
    // The client waits for the end of this connection, and may then rely on the request having been
    // delivered.
    session.phase = Phase.AUTHENTICATING;
    Runnable done = () -> context.post(() -> context.closeLater(session, "cancel request done"));
    lanes[lane].post(() -> lanes[lane].cancel(processId, key, done));
  }

  private void onStartupMessage(Session session, FrameEvent frame, int protocol) {
    int major = protocol >>> 16;
    if (major != 3) {
      fail(
          session,
          "0A000",
          "unsupported frontend protocol "
              + major
              + "."
              + (protocol & 0xffff)
              + ": server supports 3.0 to 3.2");
      return;
    }
    startup.wrap(frame.buffer(), frame.offset(), frame.length());
    if (!startup.valid()) {
      fail(session, "08P01", "invalid startup packet layout: expected terminator as last byte");
      return;
    }
    List<String> extensions = new ArrayList<>();
    String user = null;
    String database = null;
    String application = "";
    StartupSettings settings =
        new StartupSettings(context.shared.config().ignoreStartupParameters());
    boolean replication = false;
    startup.rewind();
    while (startup.next()) {
      String name = text(frame.buffer(), startup.nameOffset(), startup.nameLength());
      String value = text(frame.buffer(), startup.valueOffset(), startup.valueLength());
      switch (name) {
        case "user":
          user = value;
          break;
        case "database":
          database = value;
          break;
        case "application_name":
          application = value;
          settings.add(name, value);
          break;
        case "replication":
          replication =
              !value.equals("false")
                  && !value.equals("0")
                  && !value.equals("off")
                  && !value.equals("no");
          break;
        default:
          if (name.startsWith("_pq_.")) {
            extensions.add(name);
          } else {
            settings.add(name, value);
          }
          break;
      }
    }
    negotiate(session, protocol, extensions);
    if (user == null || user.isEmpty()) {
      fail(session, "28000", "no PostgreSQL user name specified in startup packet");
      return;
    }
    if (replication) {
      fail(session, "0A000", "replication connections are not supported");
      return;
    }
    if (settings.fault() != null) {
      fail(session, "42704", settings.fault());
      return;
    }
    session.startup = settings;
    session.longCancelKey = (protocol & 0xffff) >= 2;
    session.identify(user, database == null || database.isEmpty() ? user : database, application);
    ConnectionLog.loginAttempt(session);
    authenticate(session);
  }

  private void negotiate(Session session, int protocol, List<String> extensions) {
    int minor = protocol & 0xffff;
    if (minor > 2 || minor == 1 || !extensions.isEmpty()) {
      int supported =
          minor == 0 || minor == 1 ? FrontendMessage.PROTOCOL_3_0 : FrontendMessage.PROTOCOL_3_2;
      int length =
          BackendEncoder.negotiateProtocolVersion(context.scratch, 0, supported, extensions);
      clients.append(session, context.scratch, 0, length);
    }
  }

  // --- authentication

  private void authenticate(Session session) {
    if (context.shared.isShuttingDown()) {
      fail(session, "57P03", "the database system is shutting down");
      return;
    }
    PgringConfig config = context.shared.config();
    UserConfig user = config.user(session.userName());
    boolean console = session.databaseName().equals(Console.DATABASE);
    AuthMethod method = user == null ? config.authMethod() : user.authMethod();
    Secret secret = user == null ? null : context.shared.secret(user.password());
    if (method == AuthMethod.TRUST && user == null) {
      fail(session, "28000", "no configured user \"" + session.userName() + "\"");
      return;
    }
    if (!console
        && user != null
        && config.database(session.databaseName()) == null
        && method == AuthMethod.TRUST) {
      fail(session, "3D000", "database \"" + session.databaseName() + "\" does not exist");
      return;
    }
    session.phase = Phase.AUTHENTICATING;
    ClientLogin login =
        ClientLogin.start(
            method,
            secret,
            session.userName(),
            context.shared.random(),
            context.shared.mockSalts());
    session.login = login;
    step(session, login, login.step());
  }

  /** Handles a typed message of a session that is not logged in. */
  void onMessage(Session session, FrameEvent frame) {
    if (!(session.login instanceof ClientLogin login)
        || login.step() != ClientLogin.Step.CONTINUE) {
      context.closeLater(session, "unexpected packet during login");
      return;
    }
    if (frame.type() == FrontendMessage.TERMINATE) {
      context.closeLater(session, "client close request");
    } else if (frame.type() == FrontendMessage.PASSWORD) {
      int body = frame.offset() + MessageLayout.HEADER_LENGTH;
      step(
          session,
          login,
          login.onResponse(frame.buffer(), body, frame.length() - MessageLayout.HEADER_LENGTH));
    } else {
      step(session, login, login.onUnexpectedType(frame.type()));
    }
  }

  /**
   * A byte that is no message type during login, such as the first one of a second startup packet.
   */
  void onUnknownType(Session session, byte type) {
    if (session.login instanceof ClientLogin login && login.step() == ClientLogin.Step.CONTINUE) {
      step(session, login, login.onUnexpectedType(type));
    } else {
      context.closeLater(session, "unexpected packet during login");
    }
  }

  private void step(Session session, ClientLogin login, ClientLogin.Step step) {
    switch (step) {
      case CONTINUE:
        clients.append(session, login.request());
        break;
      case NEEDS_KEY_DERIVATION:
        context
            .shared
            .background()
            .execute(
                () -> {
                  login.deriveKeys();
                  context.post(() -> resume(session, login));
                });
        break;
      case OK:
        if (login.request() != null) {
          clients.append(session, login.request());
        }
        if (login.keys() != null) {
          context.shared.provenKeys(session.userName(), login.keys());
        }
        session.login = null;
        admit(session);
        break;
      default:
        LoginFailure failure = login.failure();
        ConnectionLog.refused(session, logged(failure));
        clients.error(
            session, "FATAL", failure.sqlState(), failure.message(), failure.detail(), null);
        context.closeLater(session, failure.message());
        break;
    }
  }

  /** What the client is told, and what only the log may say. */
  private static String logged(LoginFailure failure) {
    return failure.logReason() == null || failure.logReason().equals(failure.message())
        ? failure.message()
        : failure.message() + " (" + failure.logReason() + ")";
  }

  private void resume(Session session, ClientLogin login) {
    if (session.phase == Phase.AUTHENTICATING) {
      step(session, login, login.resume());
    }
  }

  // --- admission

  private void admit(Session session) {
    PgringConfig config = context.shared.config();
    if (session.databaseName().equals(Console.DATABASE)) {
      admitToConsole(session);
      return;
    }
    DatabaseConfig database = config.database(session.databaseName());
    UserConfig user = config.user(session.userName());
    if (database == null || user == null) {
      fail(session, "3D000", "database \"" + session.databaseName() + "\" does not exist");
      return;
    }
    if (context.shared.disabledDatabases().contains(session.databaseName())) {
      fail(
          session,
          "55000",
          "database \"" + session.databaseName() + "\" is not currently accepting connections");
      return;
    }
    String limit =
        context
            .shared
            .clientCounts()
            .tryAdd(
                session.databaseName(),
                session.userName(),
                config.limits().maxClientConn(),
                database.maxDbClientConnections(),
                user.maxUserClientConnections());
    if (limit != null) {
      fail(session, "53300", "no more connections allowed (" + limit + ")");
      return;
    }
    session.counted = true;
    admit(session, database, database.poolModeFor(user));
    session.timeouts = user.timeouts();
    Pool pool = context.pool(database, user);
    session.pool = pool;
    pool.sessions(1);
    if (pool.shared().reported() == null) {
      session.phase = Phase.AWAITING_WELCOME;
      session.awaitsWelcome = true;
      session.waitSinceNs = context.nowNs;
      pool.awaitingWelcome(1);
      connector.want(pool);
    } else {
      welcome(session);
    }
  }

  private void admit(Session session, DatabaseConfig database, PoolMode mode) {
    byte[] key = new byte[session.longCancelKey ? LONG_CANCEL_KEY_BYTES : CANCEL_KEY_BYTES];
    context.shared.random().nextBytes(key);
    int processId = Cancels.processId(context.lane, session.client().slot());
    session.admit(database, mode, processId, key);
  }

  /** Completes the logins that waited for the first server connection of their pool. */
  void onWelcomeArrived() {
    for (Session session : context.sessions) {
      if (session != null
          && session.phase == Phase.AWAITING_WELCOME
          && session.pool.shared().reported() != null) {
        session.awaitsWelcome = false;
        session.pool.awaitingWelcome(-1);
        welcome(session);
      }
    }
  }

  private void welcome(Session session) {
    clients.append(
        session, context.scratch, 0, BackendEncoder.authenticationOk(context.scratch, 0));
    ReportedSettings reported = session.pool.shared().reported();
    clients.append(session, reported.messages());
    session.settings = context.shared.settings().of(session.startup.values(reported));
    session.startup = null;
    session
        .settings
        .values()
        .forEach(
            (name, value) -> {
              if (reported.value(name) != null) {
                int length = BackendEncoder.parameterStatus(context.scratch, 0, name, value);
                clients.append(session, context.scratch, 0, length);
              }
            });
    greet(session, Phase.READY);
  }

  private void greet(Session session, Phase phase) {
    int length =
        BackendEncoder.backendKeyData(context.scratch, 0, session.processId(), session.cancelKey());
    clients.append(session, context.scratch, 0, length);
    clients.readyForQuery(session, TransactionStatus.IDLE);
    session.client().authenticated();
    session.phase = phase;
    context.resumeLater(session);
  }

  private void admitToConsole(Session session) {
    session.console = context.shared.console().open(context.shared, session.userName());
    if (session.console == null) {
      fail(
          session,
          "42501",
          "user \"" + session.userName() + "\" is neither in admin_users nor in stats_users");
      return;
    }
    admit(session, null, null);
    clients.append(
        session, context.scratch, 0, BackendEncoder.authenticationOk(context.scratch, 0));
    context
        .shared
        .console()
        .parameters()
        .forEach(
            (name, value) -> {
              int length = BackendEncoder.parameterStatus(context.scratch, 0, name, value);
              clients.append(session, context.scratch, 0, length);
            });
    greet(session, Phase.CONSOLE);
  }

  private void fail(Session session, String sqlState, String message) {
    ConnectionLog.refused(session, message);
    clients.fatal(session, sqlState, message, null);
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    return buffer.getStringWithoutLengthUtf8(offset, length);
  }
}
