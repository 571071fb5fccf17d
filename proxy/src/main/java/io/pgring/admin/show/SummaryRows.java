package io.pgring.admin.show;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import io.pgring.config.DatabaseConfig;
import io.pgring.config.PgringConfig;
import io.pgring.config.Settings;
import io.pgring.config.UserConfig;
import io.pgring.relay.Console;
import io.pgring.relay.Shared;
import io.pgring.transport.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Tables that add up all lanes: pools, databases, users, lists, and the configuration. */
final class SummaryRows {
  static final List<Column> POOLS_COLUMNS =
      Column.list(
          """
          database:s user:s cl_active:i cl_waiting:i cl_active_cancel_req:i
          cl_waiting_cancel_req:i sv_active:i sv_active_cancel:i sv_being_canceled:i sv_idle:i
          sv_used:i sv_tested:i sv_login:i maxwait:i maxwait_us:i pool_mode:s
          load_balance_hosts:s concurrency:i
          """);
  static final List<Column> DATABASES_COLUMNS =
      Column.list(
          """
          name:s host:s port:i database:s force_user:s pool_size:i min_pool_size:i
          reserve_pool_size:i server_lifetime:i pool_mode:s load_balance_hosts:s
          max_connections:i current_connections:i max_client_connections:i
          current_client_connections:i paused:i disabled:i
          """);
  static final List<Column> USERS_COLUMNS =
      Column.list(
          """
          name:s pool_size:s reserve_pool_size:s pool_mode:s max_user_connections:i
          current_connections:i max_user_client_connections:i current_client_connections:i
          """);
  static final List<Column> CONFIG_COLUMNS = Column.list("key:s value:s default:s changeable:s");
  static final List<Column> LISTS_COLUMNS = Column.list("list:s items:i");

  private final Shared shared;
  private final PgringConfig config;
  private final List<LaneSample> lanes;
  private final List<PoolSample> pools;

  SummaryRows(Shared shared, List<LaneSample> lanes) {
    this.shared = shared;
    this.config = shared.config();
    this.lanes = lanes;
    this.pools = LaneSample.pools(lanes);
  }

  List<Object[]> pools() {
    List<Object[]> rows = new ArrayList<>();
    for (PoolSample pool : pools) {
      rows.add(
          new Object[] {
            pool.key.database(),
            pool.key.user(),
            pool.clients - pool.clientsWaiting,
            pool.clientsWaiting,
            0,
            0,
            pool.serversActive,
            pool.serversCancelling,
            pool.serversBeingCancelled,
            pool.serversIdle,
            0,
            pool.serversCleaning,
            pool.serversLoggingIn,
            (int) TimeUnit.NANOSECONDS.toSeconds(pool.longestWaitNs),
            (int) (TimeUnit.NANOSECONDS.toMicros(pool.longestWaitNs) % 1_000_000),
            name(pool.mode),
            null,
            pool.concurrency
          });
    }
    rows.add(
        new Object[] {
          Console.DATABASE,
          Console.DATABASE,
          consoleClients(),
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          "statement",
          null,
          null
        });
    return rows;
  }

  private int consoleClients() {
    return lanes.stream().mapToInt(LaneSample::consoleClients).sum();
  }

  List<Object[]> databases() {
    Set<String> names = new TreeSet<>(config.databases().keySet());
    names.remove(PgringConfig.ANY);
    pools.forEach(pool -> names.add(pool.key.database()));
    List<Object[]> rows = new ArrayList<>();
    for (String name : names) {
      DatabaseConfig database = config.database(name);
      if (database != null) {
        rows.add(row(database));
      }
    }
    rows.add(
        new Object[] {
          Console.DATABASE,
          null,
          null,
          Console.DATABASE,
          Console.DATABASE,
          0,
          0,
          0,
          null,
          "statement",
          null,
          0,
          0,
          0,
          consoleClients(),
          0,
          0
        });
    return rows;
  }

  private Object[] row(DatabaseConfig database) {
    Address primary = database.primary();
    int servers = 0;
    int clients = 0;
    for (PoolSample pool : pools) {
      if (pool.key.database().equals(database.name())) {
        servers += pool.servers();
        clients += pool.clients;
      }
    }
    return new Object[] {
      database.name(),
      primary.isUnix() ? primary.path() : primary.host(),
      primary.isUnix() ? null : primary.port(),
      database.serverDatabase(),
      database.serverUser(),
      database.poolSize(),
      database.minPoolSize(),
      database.reservePoolSize(),
      (int) TimeUnit.NANOSECONDS.toSeconds(database.serverLifetimeNs()),
      name(database.poolMode()),
      null,
      database.maxDbConnections(),
      servers,
      database.maxDbClientConnections(),
      clients,
      shared.pauses().covers(database.name()) ? 1 : 0,
      shared.disabledDatabases().contains(database.name()) ? 1 : 0
    };
  }

  List<Object[]> users() {
    Set<String> names = new TreeSet<>(config.users().keySet());
    names.remove(PgringConfig.ANY);
    pools.forEach(pool -> names.add(pool.key.user()));
    List<Object[]> rows = new ArrayList<>();
    for (String name : names) {
      UserConfig user = config.user(name);
      if (user != null) {
        rows.add(row(user));
      }
    }
    return rows;
  }

  private Object[] row(UserConfig user) {
    int servers = 0;
    int clients = 0;
    for (PoolSample pool : pools) {
      if (pool.key.user().equals(user.name())) {
        servers += pool.servers();
        clients += pool.clients;
      }
    }
    return new Object[] {
      user.name(),
      user.poolSize() == 0 ? null : String.valueOf(user.poolSize()),
      null,
      user.poolMode() == null ? null : name(user.poolMode()),
      user.maxUserConnections(),
      servers,
      user.maxUserClientConnections(),
      clients
    };
  }

  List<Object[]> lists() {
    int clients = pools.stream().mapToInt(pool -> pool.clients).sum() + consoleClients();
    int login = lanes.stream().mapToInt(LaneSample::loginClients).sum();
    int servers = pools.stream().mapToInt(PoolSample::servers).sum();
    return List.of(
        new Object[] {"databases", config.databases().size()},
        new Object[] {"users", config.users().size()},
        new Object[] {"peers", 0},
        new Object[] {"pools", pools.size()},
        new Object[] {"peer_pools", 0},
        new Object[] {"free_clients", 0},
        new Object[] {"used_clients", clients + login},
        new Object[] {"login_clients", login},
        new Object[] {"free_servers", 0},
        new Object[] {"used_servers", servers});
  }

  /** Every key of the top level; secrets are masked. */
  static List<Object[]> config(PgringConfig config) {
    Settings defaults = PgringConfig.builder().build().settings();
    List<Object[]> rows = new ArrayList<>();
    for (ConfigKey key : ConfigKey.values()) {
      if (key.scopes().contains(ConfigScope.GLOBAL)) {
        rows.add(
            new Object[] {
              key.yamlName(),
              config.settings().text(key),
              defaults.text(key),
              key.isReloadable() ? "yes" : "no"
            });
      }
    }
    return rows;
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
