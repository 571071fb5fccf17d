package io.pgring.config;

import static io.pgring.config.ConfigScope.DATABASE;
import static io.pgring.config.ConfigScope.GLOBAL;
import static io.pgring.config.ConfigScope.USER;
import static io.pgring.config.KeyDefinition.key;
import static io.pgring.config.ValueType.ADDRESS;
import static io.pgring.config.ValueType.ADDRESSES;
import static io.pgring.config.ValueType.BYTES;
import static io.pgring.config.ValueType.COUNT;
import static io.pgring.config.ValueType.FILE_MODE;
import static io.pgring.config.ValueType.FLAG;
import static io.pgring.config.ValueType.MILLISECONDS;
import static io.pgring.config.ValueType.SECONDS;
import static io.pgring.config.ValueType.SECRET;
import static io.pgring.config.ValueType.TEXT;
import static io.pgring.config.ValueType.TEXTS;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The catalogue: every key of the configuration with its type, default, range, scopes and meaning.
 * Keys have PgBouncer's name where it has one, with the unit appended where there is a unit. Two
 * constants share a name only if their scopes differ. The order is that of the reference page.
 */
public enum ConfigKey {
  LISTEN(
      key(ADDRESSES, "127.0.0.1:6432")
          .pgbouncer("listen_addr, listen_port, unix_socket_dir")
          .restart()
          .in(GLOBAL)
          .means("Addresses where clients connect.")),
  UNIX_SOCKET_MODE(
      key(FILE_MODE, "0777")
          .pgbouncer("unix_socket_mode")
          .restart()
          .in(GLOBAL)
          .means("Permissions of the Unix sockets that pgring listens on.")),
  UNIX_SOCKET_GROUP(
      key(TEXT)
          .pgbouncer("unix_socket_group")
          .restart()
          .in(GLOBAL)
          .means("Group of the Unix sockets that pgring listens on; without it, that of pgring.")),
  HTTP(
      key(ADDRESS)
          .restart()
          .in(GLOBAL)
          .means("Address of the HTTP server for health checks; without it there is none.")),
  LANES(
      key(ValueType.LANES, "auto")
          .range(1, 1024)
          .restart()
          .in(GLOBAL)
          .means("Number of lanes, each with its own thread; auto is half the cores, at least 1.")),
  THREADING(
      key(ValueType.THREADING, "fused")
          .restart()
          .in(GLOBAL)
          .means("One thread for each lane (fused) or one for each stage of a lane (staged).")),

  PRIMARY(
      key(ADDRESS)
          .pgbouncer("host, port")
          .in(DATABASE)
          .means("Address of the PostgreSQL server; must be given.")),
  DBNAME(
      key(TEXT)
          .pgbouncer("dbname")
          .in(DATABASE)
          .means("Name of the database on the server; without it, the name the client asks for.")),
  SERVER_USER(
      key(TEXT)
          .named("user")
          .pgbouncer("user")
          .in(DATABASE)
          .means("User who logs in to the server; without it, the client's user.")),
  SERVER_PASSWORD(
      key(SECRET)
          .named("password")
          .pgbouncer("password")
          .in(DATABASE)
          .means("Password for the server; without it, the one of the user who logs in there.")),

  AUTH_TYPE(
      key(ValueType.AUTH_TYPE, "scram-sha-256")
          .pgbouncer("auth_type")
          .in(GLOBAL, USER)
          .means(
              "How clients prove who they are; a user whose password is an md5 hash uses md5"
                  + " instead of scram-sha-256.")),
  PASSWORD(
      key(SECRET)
          .pgbouncer("auth_file")
          .in(USER)
          .means("The user's password, SCRAM-SHA-256 verifier or md5 hash.")),
  ADMIN_USERS(
      key(TEXTS, "")
          .pgbouncer("admin_users")
          .in(GLOBAL)
          .means("Users who may run every command on the database pgbouncer.")),
  STATS_USERS(
      key(TEXTS, "")
          .pgbouncer("stats_users")
          .in(GLOBAL)
          .means("Users who may run the SHOW commands on the database pgbouncer.")),

  POOL_MODE(
      key(ValueType.POOL_MODE, "transaction")
          .pgbouncer("pool_mode")
          .in(GLOBAL, DATABASE, USER)
          .means(
              "When a server connection goes back to its pool; that of the user comes before that of"
                  + " the database.")),
  DEFAULT_POOL_SIZE(
      key(COUNT, "20")
          .range(1, 100_000)
          .pgbouncer("default_pool_size")
          .in(GLOBAL)
          .means("Server connections of one pool, which is one database and user.")),
  POOL_SIZE(
      key(COUNT)
          .range(1, 100_000)
          .inherits(DEFAULT_POOL_SIZE)
          .pgbouncer("pool_size")
          .in(DATABASE, USER)
          .means(
              "Server connections of one pool; that of the user comes before that of the"
                  + " database.")),
  ADAPTIVE_CONCURRENCY(
      key(FLAG, "true")
          .in(GLOBAL, DATABASE)
          .means(
              "Whether fewer connections of a pool than it has work at a time, where more would only"
                  + " slow each other down.")),
  MIN_POOL_SIZE(
      key(COUNT, "0")
          .range(0, 100_000)
          .pgbouncer("min_pool_size")
          .in(GLOBAL, DATABASE)
          .means("Server connections that a pool keeps open.")),
  RESERVE_POOL_SIZE(
      key(COUNT, "0")
          .range(0, 100_000)
          .pgbouncer("reserve_pool_size, reserve_pool")
          .in(GLOBAL, DATABASE)
          .means("Further server connections for clients that wait reserve_pool_timeout_s.")),
  RESERVE_POOL_TIMEOUT_S(
      seconds("5")
          .pgbouncer("reserve_pool_timeout")
          .in(GLOBAL)
          .means("Wait after which a client may use the reserve; 0: the reserve is not used.")),
  MAX_DB_CONNECTIONS(
      limit()
          .pgbouncer("max_db_connections")
          .in(GLOBAL, DATABASE)
          .means("Server connections of one database, whoever the user; 0: no limit.")),
  MAX_USER_CONNECTIONS(
      limit()
          .pgbouncer("max_user_connections")
          .in(GLOBAL, USER)
          .means("Server connections of one user, whatever the database; 0: no limit.")),
  MAX_CLIENT_CONN(
      key(COUNT, "10000")
          .range(1, 1_000_000)
          .pgbouncer("max_client_conn")
          .restart()
          .in(GLOBAL)
          .means("Client connections; PgBouncer's default is 100.")),
  MAX_DB_CLIENT_CONNECTIONS(
      limit()
          .pgbouncer("max_db_client_connections")
          .in(GLOBAL, DATABASE)
          .means("Client connections of one database; 0: no limit.")),
  MAX_USER_CLIENT_CONNECTIONS(
      limit()
          .pgbouncer("max_user_client_connections")
          .in(GLOBAL, USER)
          .means("Client connections of one user; 0: no limit.")),
  MAX_WAITING_CLIENTS(
      limit()
          .in(GLOBAL, DATABASE)
          .means("Clients that may wait for a server connection of one pool; 0: no limit.")),
  ON_SESSION_FEATURE(
      key(ValueType.SESSION_FEATURE, "pin")
          .in(GLOBAL, DATABASE)
          .means(
              "What happens in transaction pooling to LISTEN, temporary tables and what else cannot"
                  + " follow a client: its server connection stays with it (pin), or it is refused"
                  + " (reject).")),
  PINNED_LIMIT(
      key(COUNT)
          .range(0, 100_000)
          .in(GLOBAL, DATABASE)
          .means(
              "Server connections of one pool that may be pinned to clients; without it, all but one"
                  + " of the pool, but at least one.")),
  MAX_PREPARED_STATEMENTS(
      key(COUNT, "200")
          .range(1, 100_000)
          .pgbouncer("max_prepared_statements")
          .in(GLOBAL)
          .means("Prepared statements that pgring keeps on one server connection.")),
  MAX_CLIENT_PREPARED_STATEMENTS(
      key(COUNT, "10000")
          .range(1, 1_000_000)
          .in(GLOBAL)
          .means("Prepared statements that one client may hold.")),
  SERVER_RESET_QUERY(
      key(TEXT, "DISCARD ALL")
          .pgbouncer("server_reset_query")
          .in(GLOBAL)
          .means(
              "Query that cleans a server connection when it goes back to its pool, in session mode"
                  + " only; an empty text: none.")),
  SERVER_RESET_QUERY_ALWAYS(
      key(FLAG, "false")
          .pgbouncer("server_reset_query_always")
          .in(GLOBAL)
          .means("Whether server_reset_query runs in every pool mode.")),
  IGNORE_STARTUP_PARAMETERS(
      key(TEXTS, "")
          .pgbouncer("ignore_startup_parameters")
          .in(GLOBAL)
          .means("Startup parameters of clients that are dropped instead of set on the server.")),

  QUERY_WAIT_TIMEOUT_S(
      seconds("120")
          .pgbouncer("query_wait_timeout")
          .in(GLOBAL)
          .means("Wait for a server connection after which a client is refused; 0: no limit.")),
  QUERY_TIMEOUT_S(
      seconds("0")
          .pgbouncer("query_timeout")
          .in(GLOBAL, USER)
          .means("Running time after which a query is cancelled; 0: no limit.")),
  TRANSACTION_TIMEOUT_S(
      seconds("0")
          .pgbouncer("transaction_timeout")
          .in(GLOBAL, USER)
          .means("Time after which a client in a transaction is closed; 0: no limit.")),
  IDLE_TRANSACTION_TIMEOUT_S(
      seconds("0")
          .pgbouncer("idle_transaction_timeout")
          .in(GLOBAL, USER)
          .means("Idle time after which a client in a transaction is closed; 0: no limit.")),
  CLIENT_IDLE_TIMEOUT_S(
      seconds("0")
          .pgbouncer("client_idle_timeout")
          .in(GLOBAL, USER)
          .means("Idle time after which a client outside a transaction is closed; 0: no limit.")),
  CLIENT_LOGIN_TIMEOUT_S(
      seconds("60")
          .pgbouncer("client_login_timeout")
          .in(GLOBAL)
          .means("Time a client has to log in; 0: no limit.")),
  CLIENT_WRITE_TIMEOUT_S(
      seconds("600")
          .in(GLOBAL)
          .means(
              "Time without any progress after which a client that does not read its answer is"
                  + " closed; 0: no limit.")),
  SERVER_CONNECT_TIMEOUT_S(
      seconds("15")
          .pgbouncer("server_connect_timeout")
          .in(GLOBAL)
          .means("Time for connecting and logging in to a server; 0: no limit.")),
  SERVER_LOGIN_RETRY_MS(
      key(MILLISECONDS, "100")
          .range(1, 1000)
          .pgbouncer("server_login_retry")
          .in(GLOBAL)
          .means(
              "Pause after the first failed login to a server; it doubles up to 1 s, so that a"
                  + " server that is back is used within a second.")),
  SERVER_LOGINS_PER_S(
      key(COUNT, "100")
          .range(1, 100_000)
          .in(GLOBAL)
          .means("Logins that pgring starts towards one server in a second.")),
  SERVER_IDLE_TIMEOUT_S(
      seconds("600")
          .pgbouncer("server_idle_timeout")
          .in(GLOBAL)
          .means("Idle time after which a server connection is closed; 0: no limit.")),
  SERVER_LIFETIME_S(
      seconds("3600")
          .pgbouncer("server_lifetime")
          .in(GLOBAL, DATABASE)
          .means("Age at which an unused server connection is closed; 0: after each use.")),
  CANCEL_WAIT_TIMEOUT_S(
      seconds("10")
          .pgbouncer("cancel_wait_timeout")
          .in(GLOBAL)
          .means("Wait for a connection that carries a cancel request; 0: no limit.")),
  SHUTDOWN_TIMEOUT_S(
      seconds("60")
          .in(GLOBAL)
          .means("Time that transactions have to finish after SIGTERM; 0: none.")),
  DNS_TTL_S(
      seconds("15")
          .pgbouncer("dns_max_ttl")
          .in(GLOBAL)
          .means("Time for which the addresses of a host name are used.")),

  TCP_KEEPALIVE(
      key(FLAG, "true")
          .pgbouncer("tcp_keepalive")
          .restart()
          .in(GLOBAL)
          .means("Whether TCP probes idle connections.")),
  TCP_KEEPIDLE_S(
      key(COUNT, "0")
          .range(0, 32_767)
          .pgbouncer("tcp_keepidle")
          .restart()
          .in(GLOBAL)
          .means("Idle seconds before the first probe; 0: as the system has it.")),
  TCP_KEEPINTVL_S(
      key(COUNT, "0")
          .range(0, 32_767)
          .pgbouncer("tcp_keepintvl")
          .restart()
          .in(GLOBAL)
          .means("Seconds between two probes; 0: as the system has it.")),
  TCP_KEEPCNT(
      key(COUNT, "0")
          .range(0, 127)
          .pgbouncer("tcp_keepcnt")
          .restart()
          .in(GLOBAL)
          .means("Lost probes after which a connection is dead; 0: as the system has it.")),

  LISTEN_BACKLOG(
      key(COUNT, "1024")
          .range(1, 65_535)
          .pgbouncer("listen_backlog")
          .restart()
          .in(GLOBAL)
          .means("Connections that the system holds until pgring accepts them.")),
  ACCEPTS_PER_CYCLE(
      key(COUNT, "16")
          .range(1, 1024)
          .restart()
          .in(GLOBAL)
          .means("Connections accepted in a row before other work is done.")),
  MAX_STARTUP_BYTES(
      key(BYTES, "10000")
          .range(1024, 1 << 20)
          .restart()
          .in(GLOBAL)
          .means("Longest message of a client that has not logged in.")),
  MAX_MESSAGE_BYTES(
      key(BYTES, "1073741823")
          .range(65_536, (1 << 30) - 1)
          .pgbouncer("max_packet_size")
          .restart()
          .in(GLOBAL)
          .means("Longest message of a client that has logged in.")),
  MAX_INSPECTED_SQL_BYTES(
      key(BYTES, "1048576")
          .range(1024, 1 << 26)
          .restart()
          .in(GLOBAL)
          .means("Longest statement that is read as SQL; longer ones are passed on unread.")),
  CLIENT_WINDOW_BYTES(
      key(BYTES, "65536")
          .range(65_536, 1 << 24)
          .restart()
          .in(GLOBAL)
          .means("Bytes that pgring reads from a client ahead of what it has passed on.")),
  SLAB_BUDGET_BYTES(
      key(BYTES, "268435456")
          .range(1 << 22, 1L << 40)
          .restart()
          .in(GLOBAL)
          .means("Direct memory for incomplete messages and unsent bytes, of all lanes together.")),
  RING_SIZE(
      key(COUNT, "512")
          .range(64, 1 << 20)
          .powerOfTwo()
          .restart()
          .in(GLOBAL)
          .means("Messages in flight in one lane.")),
  FRAME_ARENA_BYTES(
      key(BYTES, "4194304")
          .range(1 << 18, 1 << 30)
          .powerOfTwo()
          .restart()
          .in(GLOBAL)
          .means("Direct memory for the messages in flight in one lane."));

  private static final long MAX_SECONDS = 31_536_000;

  private final KeyDefinition definition;
  private final String yamlName;
  private final Object defaultValue;

  ConfigKey(KeyDefinition definition) {
    this.definition = definition;
    this.yamlName = definition.name == null ? name().toLowerCase(Locale.ROOT) : definition.name;
    this.defaultValue = definition.defaultText == null ? null : parseDefault();
  }

  private static KeyDefinition seconds(String defaultText) {
    return key(SECONDS, defaultText).range(0, MAX_SECONDS);
  }

  private static KeyDefinition limit() {
    return key(COUNT, "0").range(0, 1_000_000);
  }

  private Object parseDefault() {
    boolean emptyList = definition.type.isList() && definition.defaultText.isEmpty();
    return parse(emptyList ? List.of() : List.of(definition.defaultText.split(", ")));
  }

  /** The name in the file. */
  public String yamlName() {
    return yamlName;
  }

  /** What its value is. */
  public ValueType type() {
    return definition.type;
  }

  /** The default as written in the file; null when there is none. */
  public String defaultText() {
    return definition.defaultText;
  }

  Object defaultValue() {
    return defaultValue;
  }

  /** The global key whose value applies where this one is not given; null when there is none. */
  public ConfigKey inherits() {
    return definition.inherits;
  }

  /** Lowest number in the unit of the file. */
  public long min() {
    return definition.min;
  }

  /** Highest number in the unit of the file. */
  public long max() {
    return definition.max;
  }

  /** Whether {@link #min} and {@link #max} mean anything. */
  public boolean isBounded() {
    return definition.max != Long.MAX_VALUE;
  }

  /** Whether the number must be a power of two. */
  public boolean isPowerOfTwo() {
    return definition.powerOfTwo;
  }

  /** Where it may stand. */
  public Set<ConfigScope> scopes() {
    return Set.copyOf(definition.scopes);
  }

  /** Whether a changed value takes effect without a restart. */
  public boolean isReloadable() {
    return definition.reloadable;
  }

  /** PgBouncer's names for it; none when it has no such setting. */
  public List<String> pgbouncerNames() {
    return definition.pgbouncerNames.isEmpty()
        ? List.of()
        : List.of(definition.pgbouncerNames.split(", "));
  }

  /** What it does, in one sentence. */
  public String meaning() {
    return definition.meaning;
  }

  /**
   * Reads a value: one text, or any number of them for a list.
   *
   * @throws IllegalArgumentException with a sentence that continues the name of the key
   */
  public Object parse(List<String> texts) {
    if (!type().isList()) {
      Object value = type().parse(texts.get(0));
      requireBounds(texts.get(0), value);
      return value;
    }
    List<Object> values = new ArrayList<>();
    texts.forEach(text -> values.add(type().parse(text)));
    return List.copyOf(values);
  }

  /** The value as written in the file, elements of a list parted by ", "; secrets are masked. */
  String format(Object value) {
    if (value instanceof List<?> values) {
      return String.join(", ", values.stream().map(type()::format).toList());
    }
    return type().format(value);
  }

  private void requireBounds(String text, Object value) {
    if (!isBounded()) {
      return;
    }
    long number = (Long) value;
    if (number < type().inUnit(min()) || number > type().inUnit(max())) {
      throw new IllegalArgumentException(
          "must be from " + min() + " to " + max() + ", not " + text);
    }
    if (isPowerOfTwo() && Long.bitCount(number) != 1) {
      throw new IllegalArgumentException("must be a power of two, not " + text);
    }
  }
}
