package io.pgring.config;

/**
 * The global bounds on memory, connections and work. Limits that databases and users may override
 * are in {@link DatabaseConfig} and {@link UserConfig}. Immutable; the meaning of each is that of
 * its key. Copy what is needed per message into a field.
 */
public final class Limits {
  private final Settings settings;

  Limits(Settings settings) {
    this.settings = settings;
  }

  /** {@link ConfigKey#MAX_CLIENT_CONN}. */
  public int maxClientConn() {
    return settings.count(ConfigKey.MAX_CLIENT_CONN);
  }

  /** {@link ConfigKey#MAX_PREPARED_STATEMENTS}. */
  public int maxPreparedStatements() {
    return settings.count(ConfigKey.MAX_PREPARED_STATEMENTS);
  }

  /** {@link ConfigKey#MAX_CLIENT_PREPARED_STATEMENTS}. */
  public int maxClientPreparedStatements() {
    return settings.count(ConfigKey.MAX_CLIENT_PREPARED_STATEMENTS);
  }

  /** {@link ConfigKey#SERVER_LOGINS_PER_S}. */
  public int serverLoginsPerS() {
    return settings.count(ConfigKey.SERVER_LOGINS_PER_S);
  }

  /** {@link ConfigKey#LISTEN_BACKLOG}. */
  public int listenBacklog() {
    return settings.count(ConfigKey.LISTEN_BACKLOG);
  }

  /** {@link ConfigKey#ACCEPTS_PER_CYCLE}. */
  public int acceptsPerCycle() {
    return settings.count(ConfigKey.ACCEPTS_PER_CYCLE);
  }

  /** {@link ConfigKey#MAX_STARTUP_BYTES}. */
  public int maxStartupBytes() {
    return settings.count(ConfigKey.MAX_STARTUP_BYTES);
  }

  /** {@link ConfigKey#MAX_MESSAGE_BYTES}. */
  public int maxMessageBytes() {
    return settings.count(ConfigKey.MAX_MESSAGE_BYTES);
  }

  /** {@link ConfigKey#MAX_INSPECTED_SQL_BYTES}. */
  public int maxInspectedSqlBytes() {
    return settings.count(ConfigKey.MAX_INSPECTED_SQL_BYTES);
  }

  /** {@link ConfigKey#CLIENT_WINDOW_BYTES}. */
  public int clientWindowBytes() {
    return settings.count(ConfigKey.CLIENT_WINDOW_BYTES);
  }

  /** {@link ConfigKey#SLAB_BUDGET_BYTES}. */
  public long slabBudgetBytes() {
    return settings.number(ConfigKey.SLAB_BUDGET_BYTES);
  }

  /** {@link ConfigKey#RING_SIZE}. */
  public int ringSize() {
    return settings.count(ConfigKey.RING_SIZE);
  }

  /** {@link ConfigKey#FRAME_ARENA_BYTES}. */
  public int frameArenaBytes() {
    return settings.count(ConfigKey.FRAME_ARENA_BYTES);
  }
}
