package io.pgring.admin.show;

import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.SharedPool;
import io.pgring.relay.RelayStage;
import io.pgring.session.Session;
import io.pgring.session.Session.Phase;
import io.pgring.session.Session.Wait;
import io.pgring.transport.Channel;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * SHOW CLIENTS and SHOW SERVERS: a row for each connection of one lane, made on the lane's thread.
 */
final class ConnectionRows {
  /** Columns of both, as PgBouncer 1.24 has them. */
  static final List<Column> COLUMNS =
      Column.list(
          """
          type:s user:s database:s replication:s state:s addr:s port:i local_addr:s local_port:i
          connect_time:s request_time:s wait:i wait_us:i close_needed:i ptr:s link:s remote_pid:i
          tls:s application_name:s prepared_statements:i id:i
          """);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final List<Object[]> rows = new ArrayList<>();
  private final Instant now = Instant.now();
  private final long nowNs;

  private ConnectionRows(long nowNs) {
    this.nowNs = nowNs;
  }

  /** The clients of a lane that have logged in. */
  static List<Object[]> clients(RelayStage relay) {
    ConnectionRows rows = new ConnectionRows(relay.nowNs());
    for (Session session : relay.sessions()) {
      if (session != null
          && (session.phase == Phase.READY
              || session.phase == Phase.CONSOLE
              || session.phase == Phase.AWAITING_WELCOME)) {
        rows.add(session);
      }
    }
    return rows.rows;
  }

  /** The server connections of a lane. */
  static List<Object[]> servers(RelayStage relay) {
    ConnectionRows rows = new ConnectionRows(relay.nowNs());
    for (Pool pool : relay.pools()) {
      for (int i = 0; i < pool.serverCount(); i++) {
        rows.add(pool.server(i));
      }
    }
    return rows.rows;
  }

  private void add(Session session) {
    boolean waiting = session.phase == Phase.AWAITING_WELCOME || session.wait == Wait.SERVER;
    boolean linked = session.server != null || session.phase == Phase.CONSOLE;
    Row row = new Row("C", session.userName(), session.databaseName(), session.client().channel());
    row.id = session.id;
    row.state = waiting ? "waiting" : linked ? "active" : "idle";
    row.connected = time(session.connectedNs);
    row.requested = time(session.activeNs);
    row.waitUs = waiting ? TimeUnit.NANOSECONDS.toMicros(nowNs - session.waitSinceNs) : 0;
    row.link = session.server == null ? "" : pointer(session.server.id);
    row.application = session.applicationName();
    row.statements = session.hasStatements() ? session.statements().size() : 0;
    rows.add(row.values());
  }

  private void add(ServerConnection server) {
    SharedPool pool = server.pool().shared();
    Session owner = server.owner;
    Row row = new Row("S", pool.credentials().user(), pool.key().database(), server.channel());
    row.id = server.id;
    row.state = state(server);
    row.connected = time(server.createdNs);
    row.requested = time(owner == null ? server.idleSinceNs : owner.requestSinceNs);
    row.closeNeeded = server.retire ? 1 : 0;
    row.link = owner == null ? "" : pointer(owner.id);
    row.processId = server.processId;
    row.application = owner == null ? "" : owner.applicationName();
    row.statements = server.statements().size();
    rows.add(row.values());
  }

  private static String state(ServerConnection server) {
    return switch (server.state) {
      case CONNECTING, LOGGING_IN -> "new";
      case IDLE -> "idle";
      case CLEANING -> server.cancelsInFlight > 0 ? "being_canceled" : "tested";
      default -> "active";
    };
  }

  /** A moment by the lane's clock, as the wall clock had it; a connection without requests: now. */
  private String time(long momentNs) {
    return TIME.format(momentNs == 0 ? now : now.minusNanos(nowNs - momentNs));
  }

  private static String pointer(long id) {
    return "0x" + Long.toHexString(id);
  }

  /** The values of a row, by name until they are put in order. */
  private static final class Row {
    private final String type;
    private final String user;
    private final String database;
    private final Endpoint remote;
    private final Endpoint local;
    private long id;
    private String state;
    private String connected;
    private String requested;
    private long waitUs;
    private int closeNeeded;
    private String link;
    private int processId;
    private String application;
    private int statements;

    Row(String type, String user, String database, Channel channel) {
      this.type = type;
      this.user = user;
      this.database = database;
      this.remote = Endpoint.of(channel.remote());
      this.local = Endpoint.of(channel.local());
    }

    Object[] values() {
      return new Object[] {
        type,
        user,
        database,
        "none",
        state,
        remote.host,
        remote.port,
        local.host,
        local.port,
        connected,
        requested,
        (int) TimeUnit.MICROSECONDS.toSeconds(waitUs),
        (int) (waitUs % TimeUnit.SECONDS.toMicros(1)),
        closeNeeded,
        pointer(id),
        link,
        processId,
        "",
        application,
        statements,
        (int) id
      };
    }
  }

  /** Host and port of an address, {@code unix} for a Unix socket. */
  private record Endpoint(String host, int port) {
    static Endpoint of(String address) {
      if (address.startsWith("unix:")) {
        return new Endpoint("unix", port(address.substring(address.lastIndexOf('.') + 1)));
      }
      int colon = address.lastIndexOf(':');
      String host = colon < 0 ? address : address.substring(0, colon);
      return new Endpoint(
          host.replace("[", "").replace("]", ""), port(address.substring(colon + 1)));
    }

    private static int port(String text) {
      return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    }
  }
}
