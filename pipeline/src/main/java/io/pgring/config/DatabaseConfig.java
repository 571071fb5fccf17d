package io.pgring.config;

import io.pgring.transport.Address;

/** One database as clients name it, with everything it inherits resolved. Immutable. */
public final class DatabaseConfig {
  private final String name;
  private final Settings own;
  private final Settings globals;
  private final Settings settings;

  DatabaseConfig(String name, Settings own, Settings globals) {
    this.name = name;
    this.own = own;
    this.globals = globals;
    this.settings = own.over(globals);
  }

  /** The same settings for a database that only the entry {@code "*"} admits. */
  DatabaseConfig named(String requested) {
    return new DatabaseConfig(requested, own, globals);
  }

  /** The same entry beneath another top level. */
  DatabaseConfig under(Settings changedGlobals) {
    return new DatabaseConfig(name, own, changedGlobals);
  }

  /** The name that clients ask for. */
  public String name() {
    return name;
  }

  /** Where the server is. */
  public Address primary() {
    return settings.address(ConfigKey.PRIMARY);
  }

  /** The name of the database on the server. */
  public String serverDatabase() {
    String dbname = settings.string(ConfigKey.DBNAME);
    return dbname == null ? name : dbname;
  }

  /** Who logs in to the server; null: the client's user. */
  public String serverUser() {
    return settings.string(ConfigKey.SERVER_USER);
  }

  /** Password, SCRAM verifier or md5 hash for the server; null: that of the user who logs in. */
  public String serverPassword() {
    return settings.string(ConfigKey.SERVER_PASSWORD);
  }

  /** Pool mode of users who have none of their own. */
  public PoolMode poolMode() {
    return (PoolMode) settings.value(ConfigKey.POOL_MODE);
  }

  /** Pool mode of this user's pool. */
  public PoolMode poolModeFor(UserConfig user) {
    return user.poolMode() == null ? poolMode() : user.poolMode();
  }

  /** Server connections per pool of users who have no size of their own. */
  public int poolSize() {
    return settings.count(ConfigKey.POOL_SIZE);
  }

  /** Server connections of this user's pool. */
  public int poolSizeFor(UserConfig user) {
    return user.poolSize() == 0 ? poolSize() : user.poolSize();
  }

  /** Whether a pool finds out how many of its connections are to work at a time. */
  public boolean adaptiveConcurrency() {
    return settings.flag(ConfigKey.ADAPTIVE_CONCURRENCY);
  }

  /** Server connections that a pool keeps open. */
  public int minPoolSize() {
    return settings.count(ConfigKey.MIN_POOL_SIZE);
  }

  /** Further server connections of a pool, for clients that have waited long. */
  public int reservePoolSize() {
    return settings.count(ConfigKey.RESERVE_POOL_SIZE);
  }

  /** Server connections of all its pools; 0: no limit. */
  public int maxDbConnections() {
    return settings.count(ConfigKey.MAX_DB_CONNECTIONS);
  }

  /** Client connections; 0: no limit. */
  public int maxDbClientConnections() {
    return settings.count(ConfigKey.MAX_DB_CLIENT_CONNECTIONS);
  }

  /** Clients that may wait for one pool; 0: no limit. */
  public int maxWaitingClients() {
    return settings.count(ConfigKey.MAX_WAITING_CLIENTS);
  }

  /** What happens to statements whose effect cannot follow the client. */
  public SessionFeature onSessionFeature() {
    return (SessionFeature) settings.value(ConfigKey.ON_SESSION_FEATURE);
  }

  /** How many connections of a pool of this size may be pinned to clients. */
  public int pinnedLimit(int poolSize) {
    return settings.value(ConfigKey.PINNED_LIMIT) == null
        ? Math.max(1, poolSize - 1)
        : settings.count(ConfigKey.PINNED_LIMIT);
  }

  /** Age at which a server connection is closed, nanoseconds; 0: after each use. */
  public long serverLifetimeNs() {
    return settings.number(ConfigKey.SERVER_LIFETIME_S);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatabaseConfig that
        && name.equals(that.name)
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** Name and settings with secrets masked. */
  @Override
  public String toString() {
    return name + " " + settings;
  }
}
