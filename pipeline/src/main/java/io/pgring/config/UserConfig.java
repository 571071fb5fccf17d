package io.pgring.config;

import io.pgring.login.AuthMethod;
import io.pgring.login.secret.Secret;

/** One user as clients log in, with everything it inherits resolved. Immutable. */
public final class UserConfig {
  private final String name;
  private final Settings own;
  private final Settings settings;
  private final AuthMethod authMethod;

  UserConfig(String name, Settings own, Settings globals) {
    this.name = name;
    this.own = own;
    this.settings = own.over(globals);
    AuthMethod method = (AuthMethod) settings.value(ConfigKey.AUTH_TYPE);
    boolean isScram = method == AuthMethod.SCRAM_SHA_256;
    this.authMethod = isScram && hasMd5Hash(own) ? AuthMethod.MD5 : method;
  }

  private static boolean hasMd5Hash(Settings own) {
    String password = own.string(ConfigKey.PASSWORD);
    return password != null && Secret.parse(password).kind() == Secret.Kind.MD5_HASH;
  }

  /** The same settings for a user whom only the entry {@code "*"} admits. */
  UserConfig named(String requested) {
    return new UserConfig(requested, own, settings);
  }

  /** The same entry beneath another top level. */
  UserConfig under(Settings globals) {
    return new UserConfig(name, own, globals);
  }

  /** The name that clients log in with. */
  public String name() {
    return name;
  }

  /** Password, SCRAM verifier or md5 hash; null when the user has none. */
  public String password() {
    return own.string(ConfigKey.PASSWORD);
  }

  /**
   * How the user proves who they are. It is md5 instead of SCRAM-SHA-256 where the secret is an md5
   * hash, which can serve nothing better.
   */
  public AuthMethod authMethod() {
    return authMethod;
  }

  /** The user's own pool mode; null: that of the database. */
  public PoolMode poolMode() {
    return own.has(ConfigKey.POOL_MODE) ? (PoolMode) own.value(ConfigKey.POOL_MODE) : null;
  }

  /** The user's own pool size; 0: that of the database. */
  public int poolSize() {
    return own.has(ConfigKey.POOL_SIZE) ? own.count(ConfigKey.POOL_SIZE) : 0;
  }

  /** Server connections on all databases; 0: no limit. */
  public int maxUserConnections() {
    return settings.count(ConfigKey.MAX_USER_CONNECTIONS);
  }

  /** Client connections; 0: no limit. */
  public int maxUserClientConnections() {
    return settings.count(ConfigKey.MAX_USER_CLIENT_CONNECTIONS);
  }

  /** The timeouts for the user's sessions. */
  public Timeouts timeouts() {
    return new Timeouts(settings);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UserConfig that
        && name.equals(that.name)
        && own.equals(that.own)
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** Name and own settings with secrets masked. */
  @Override
  public String toString() {
    return name + " " + own;
  }
}
