package io.pgring.config;

/**
 * Durations in nanoseconds, of the whole proxy or of one user. 0 means no limit unless the key says
 * otherwise. Immutable; the meaning of each is that of its key. Copy what is needed per message
 * into a field.
 */
public final class Timeouts {
  private final Settings settings;

  Timeouts(Settings settings) {
    this.settings = settings;
  }

  /** {@link ConfigKey#QUERY_WAIT_TIMEOUT_S}, nanoseconds. */
  public long queryWaitTimeoutNs() {
    return settings.number(ConfigKey.QUERY_WAIT_TIMEOUT_S);
  }

  /** {@link ConfigKey#RESERVE_POOL_TIMEOUT_S}, nanoseconds. */
  public long reservePoolTimeoutNs() {
    return settings.number(ConfigKey.RESERVE_POOL_TIMEOUT_S);
  }

  /** {@link ConfigKey#QUERY_TIMEOUT_S}, nanoseconds. */
  public long queryTimeoutNs() {
    return settings.number(ConfigKey.QUERY_TIMEOUT_S);
  }

  /** {@link ConfigKey#TRANSACTION_TIMEOUT_S}, nanoseconds. */
  public long transactionTimeoutNs() {
    return settings.number(ConfigKey.TRANSACTION_TIMEOUT_S);
  }

  /** {@link ConfigKey#IDLE_TRANSACTION_TIMEOUT_S}, nanoseconds. */
  public long idleTransactionTimeoutNs() {
    return settings.number(ConfigKey.IDLE_TRANSACTION_TIMEOUT_S);
  }

  /** {@link ConfigKey#CLIENT_IDLE_TIMEOUT_S}, nanoseconds. */
  public long clientIdleTimeoutNs() {
    return settings.number(ConfigKey.CLIENT_IDLE_TIMEOUT_S);
  }

  /** {@link ConfigKey#CLIENT_LOGIN_TIMEOUT_S}, nanoseconds. */
  public long clientLoginTimeoutNs() {
    return settings.number(ConfigKey.CLIENT_LOGIN_TIMEOUT_S);
  }

  /** {@link ConfigKey#CLIENT_WRITE_TIMEOUT_S}, nanoseconds. */
  public long clientWriteTimeoutNs() {
    return settings.number(ConfigKey.CLIENT_WRITE_TIMEOUT_S);
  }

  /** {@link ConfigKey#SERVER_CONNECT_TIMEOUT_S}, nanoseconds. */
  public long serverConnectTimeoutNs() {
    return settings.number(ConfigKey.SERVER_CONNECT_TIMEOUT_S);
  }

  /** {@link ConfigKey#SERVER_LOGIN_RETRY_MS}, nanoseconds. */
  public long serverLoginRetryNs() {
    return settings.number(ConfigKey.SERVER_LOGIN_RETRY_MS);
  }

  /** {@link ConfigKey#SERVER_IDLE_TIMEOUT_S}, nanoseconds. */
  public long serverIdleTimeoutNs() {
    return settings.number(ConfigKey.SERVER_IDLE_TIMEOUT_S);
  }

  /** {@link ConfigKey#SERVER_LIFETIME_S}, nanoseconds. */
  public long serverLifetimeNs() {
    return settings.number(ConfigKey.SERVER_LIFETIME_S);
  }

  /** {@link ConfigKey#CANCEL_WAIT_TIMEOUT_S}, nanoseconds. */
  public long cancelWaitTimeoutNs() {
    return settings.number(ConfigKey.CANCEL_WAIT_TIMEOUT_S);
  }

  /** {@link ConfigKey#SHUTDOWN_TIMEOUT_S}, nanoseconds. */
  public long shutdownTimeoutNs() {
    return settings.number(ConfigKey.SHUTDOWN_TIMEOUT_S);
  }

  /** {@link ConfigKey#DNS_TTL_S}, nanoseconds. */
  public long dnsTtlNs() {
    return settings.number(ConfigKey.DNS_TTL_S);
  }
}
