package io.pgring.config;

import io.pgring.login.AuthMethod;
import io.pgring.transport.Address;
import io.pgring.transport.SocketOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The whole configuration. Built once per load and never changed; a reload makes a new one. Values
 * that databases and users may override are found through {@link #database} and {@link #user}.
 *
 * @param settings what was given at the top level
 * @param databases by name in the order of the file; {@code "*"} is the entry for all other names
 * @param users by name in the order of the file; {@code "*"} is the entry for all other names
 */
public record PgringConfig(
    Settings settings, Map<String, DatabaseConfig> databases, Map<String, UserConfig> users) {
  /** Name of the entry that stands for all names without one. */
  public static final String ANY = "*";

  /** Starts a configuration in which every key has its default. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Names of changed keys that take effect only after a restart, in the order of the catalogue.
   * Databases and users can always be changed.
   */
  public static Set<String> notReloadable(PgringConfig old, PgringConfig next) {
    Set<String> names = new LinkedHashSet<>();
    for (ConfigKey key : ConfigKey.values()) {
      String before = old.settings.text(key);
      String after = next.settings.text(key);
      if (!key.isReloadable() && !Objects.equals(before, after)) {
        names.add(key.yamlName());
      }
    }
    return names;
  }

  /**
   * The same configuration with another value at the top level, which databases and users inherit.
   *
   * @param texts the value as the file writes it, several for a list
   * @throws IllegalArgumentException with a sentence that continues the name of the key
   */
  public PgringConfig with(ConfigKey key, List<String> texts) {
    Settings changed = settings.with(key, key.parse(texts));
    Map<String, DatabaseConfig> changedDatabases = new LinkedHashMap<>(databases);
    changedDatabases.replaceAll((name, database) -> database.under(changed));
    Map<String, UserConfig> changedUsers = new LinkedHashMap<>(users);
    changedUsers.replaceAll((name, user) -> user.under(changed));
    return new PgringConfig(
        changed,
        Collections.unmodifiableMap(changedDatabases),
        Collections.unmodifiableMap(changedUsers));
  }

  /** The entry of this name, or the one for any name; null when there is neither. */
  public DatabaseConfig database(String name) {
    DatabaseConfig exact = databases.get(name);
    DatabaseConfig any = databases.get(ANY);
    return exact != null || any == null ? exact : any.named(name);
  }

  /** The entry of this name, or the one for any name; null when there is neither. */
  public UserConfig user(String name) {
    UserConfig exact = users.get(name);
    UserConfig any = users.get(ANY);
    return exact != null || any == null ? exact : any.named(name);
  }

  /** {@link ConfigKey#LISTEN}. */
  public List<Address> listen() {
    return settings.addresses(ConfigKey.LISTEN);
  }

  /** Permission bits of listening Unix sockets. */
  public int unixSocketMode() {
    return settings.count(ConfigKey.UNIX_SOCKET_MODE);
  }

  /** Group of listening Unix sockets; null: that of the process. */
  public String unixSocketGroup() {
    return settings.string(ConfigKey.UNIX_SOCKET_GROUP);
  }

  /** Where health checks are answered; null: nowhere. */
  public Address http() {
    return settings.address(ConfigKey.HTTP);
  }

  /** Number of lanes, at least 1; {@code auto} is already resolved. */
  public int lanes() {
    return settings.count(ConfigKey.LANES);
  }

  /** {@link ConfigKey#THREADING}. */
  public ThreadingMode threading() {
    return (ThreadingMode) settings.value(ConfigKey.THREADING);
  }

  /** How users without a setting of their own prove who they are. */
  public AuthMethod authMethod() {
    return (AuthMethod) settings.value(ConfigKey.AUTH_TYPE);
  }

  /** {@link ConfigKey#ADMIN_USERS}. */
  public List<String> adminUsers() {
    return settings.strings(ConfigKey.ADMIN_USERS);
  }

  /** {@link ConfigKey#STATS_USERS}. */
  public List<String> statsUsers() {
    return settings.strings(ConfigKey.STATS_USERS);
  }

  /** {@link ConfigKey#SERVER_RESET_QUERY}; empty: none. */
  public String serverResetQuery() {
    return settings.string(ConfigKey.SERVER_RESET_QUERY);
  }

  /** {@link ConfigKey#SERVER_RESET_QUERY_ALWAYS}. */
  public boolean serverResetQueryAlways() {
    return settings.flag(ConfigKey.SERVER_RESET_QUERY_ALWAYS);
  }

  /** {@link ConfigKey#IGNORE_STARTUP_PARAMETERS}. */
  public List<String> ignoreStartupParameters() {
    return settings.strings(ConfigKey.IGNORE_STARTUP_PARAMETERS);
  }

  /** How TCP finds vanished peers. */
  public SocketOptions socketOptions() {
    return new SocketOptions(
        settings.flag(ConfigKey.TCP_KEEPALIVE),
        settings.count(ConfigKey.TCP_KEEPIDLE_S),
        settings.count(ConfigKey.TCP_KEEPINTVL_S),
        settings.count(ConfigKey.TCP_KEEPCNT));
  }

  /** Bounds on memory, connections and work. */
  public Limits limits() {
    return new Limits(settings);
  }

  /** Durations for users who have none of their own. */
  public Timeouts timeouts() {
    return new Timeouts(settings);
  }

  /**
   * Collects values as the file writes them; lists take several texts. Used on one thread. The last
   * value given for a key counts.
   */
  public static final class Builder {
    private final Map<String, Settings> databases = new LinkedHashMap<>();
    private final Map<String, Settings> users = new LinkedHashMap<>();
    private Settings globals = Settings.EMPTY;

    private Builder() {}

    /** Sets a key at the top level. */
    public Builder set(ConfigKey key, String... texts) {
      globals = add(globals, ConfigScope.GLOBAL, key, texts);
      return this;
    }

    /** Sets the threading mode, also the one that no file can ask for. */
    public Builder threading(ThreadingMode mode) {
      globals = globals.with(ConfigKey.THREADING, mode);
      return this;
    }

    /** Adds a database whose server is set later. */
    public Builder database(String name) {
      databases.putIfAbsent(name, Settings.EMPTY);
      return this;
    }

    /** Adds a database on this server. */
    public Builder database(String name, String primary) {
      return setForDatabase(name, ConfigKey.PRIMARY, primary);
    }

    /** Sets a key of a database, which is added if it is new. */
    public Builder setForDatabase(String name, ConfigKey key, String... texts) {
      Settings settings = databases.getOrDefault(name, Settings.EMPTY);
      databases.put(name, add(settings, ConfigScope.DATABASE, key, texts));
      return this;
    }

    /** Adds a user without a secret. */
    public Builder user(String name) {
      users.putIfAbsent(name, Settings.EMPTY);
      return this;
    }

    /** Adds a user with a password, SCRAM verifier or md5 hash. */
    public Builder user(String name, String password) {
      return setForUser(name, ConfigKey.PASSWORD, password);
    }

    /** Sets a key of a user, who is added if new. */
    public Builder setForUser(String name, ConfigKey key, String... texts) {
      Settings settings = users.getOrDefault(name, Settings.EMPTY);
      users.put(name, add(settings, ConfigScope.USER, key, texts));
      return this;
    }

    /** Makes the configuration, in which databases and users have inherited what they lack. */
    public PgringConfig build() {
      Map<String, DatabaseConfig> builtDatabases = new LinkedHashMap<>();
      databases.forEach(
          (name, own) -> builtDatabases.put(name, new DatabaseConfig(name, own, globals)));
      Map<String, UserConfig> builtUsers = new LinkedHashMap<>();
      users.forEach((name, own) -> builtUsers.put(name, new UserConfig(name, own, globals)));
      return new PgringConfig(
          globals,
          Collections.unmodifiableMap(builtDatabases),
          Collections.unmodifiableMap(builtUsers));
    }

    private static Settings add(
        Settings settings, ConfigScope scope, ConfigKey key, String... texts) {
      if (!key.scopes().contains(scope)) {
        throw new IllegalArgumentException(key.yamlName() + " is unknown " + scope.place());
      }
      return settings.with(key, key.parse(List.of(texts)));
    }
  }
}
