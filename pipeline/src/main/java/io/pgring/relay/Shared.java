package io.pgring.relay;

import io.pgring.config.DatabaseConfig;
import io.pgring.config.PgringConfig;
import io.pgring.config.UserConfig;
import io.pgring.login.secret.MockSalts;
import io.pgring.login.secret.SaltedPasswordCache;
import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.Secret;
import io.pgring.pool.Pauses;
import io.pgring.pool.Permits;
import io.pgring.pool.PoolKey;
import io.pgring.pool.ServerCredentials;
import io.pgring.pool.ServerLogins;
import io.pgring.pool.SharedPool;
import io.pgring.session.StatementStore;
import io.pgring.settings.SettingsStore;
import io.pgring.transport.Address;
import io.pgring.transport.resolve.ResolverAgent;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What the lanes of one proxy share: configuration, limits over all lanes, the pools' common part,
 * prepared texts, secrets. Any thread; nothing here is touched by a request that needs no new
 * connection, name or login.
 */
public final class Shared {
  private static final int SALTED_PASSWORDS = 10_000;

  private final StatementStore statements = new StatementStore();
  private final SettingsStore settings = new SettingsStore();
  private final Map<PoolKey, SharedPool> pools = new ConcurrentHashMap<>();
  private final Map<String, Permits> databasePermits = new ConcurrentHashMap<>();
  private final Map<String, Permits> userPermits = new ConcurrentHashMap<>();
  private final Map<Address, ServerLogins> logins = new ConcurrentHashMap<>();
  private final Map<String, Secret> secrets = new ConcurrentHashMap<>();
  private final Map<String, ScramKeys> provenKeys = new ConcurrentHashMap<>();
  private final SaltedPasswordCache saltedPasswords = new SaltedPasswordCache(SALTED_PASSWORDS);
  private final SecureRandom random = new SecureRandom();
  private final MockSalts mockSalts = new MockSalts(random);
  private final ClientCounts clientCounts = new ClientCounts();
  private final Pauses pauses = new Pauses();
  private final Set<String> disabledDatabases = ConcurrentHashMap.newKeySet();
  private final AtomicLong connections = new AtomicLong();
  private final ResolverAgent resolver;
  private final Executor background;
  private final Console console;
  private volatile PgringConfig config;
  private volatile RelayStage[] lanes = new RelayStage[0];
  private volatile boolean shuttingDown;

  /**
   * @param resolver of server names, on its own thread
   * @param background runs what takes milliseconds, such as password hashing
   * @param console serves the virtual database
   */
  public Shared(PgringConfig config, ResolverAgent resolver, Executor background, Console console) {
    this.config = config;
    this.resolver = resolver;
    this.background = background;
    this.console = console;
    prepareSecrets(config);
  }

  /** The configuration in force. */
  public PgringConfig config() {
    return config;
  }

  /** Makes the lanes known to each other; once, before any runs. */
  public void lanes(RelayStage[] lanes) {
    this.lanes = lanes;
  }

  /** The relays of all lanes. */
  public RelayStage[] lanes() {
    return lanes;
  }

  /**
   * Asks each lane something on its own thread; any thread, never waits.
   *
   * @return the answers in the order of the lanes, completed on the thread of the last lane; fails
   *     as the first question that failed
   */
  public <T> CompletableFuture<List<T>> askLanes(Function<RelayStage, T> question) {
    List<CompletableFuture<T>> answers = new ArrayList<>();
    for (RelayStage lane : lanes) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      answers.add(answer);
      lane.post(() -> answer.completeAsync(() -> question.apply(lane), Runnable::run));
    }
    return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            all -> {
              List<T> results = new ArrayList<>();
              answers.forEach(answer -> results.add(answer.join()));
              return results;
            });
  }

  /** Changes the configuration in force, which nobody replaces meanwhile. */
  public synchronized void change(UnaryOperator<PgringConfig> change) {
    reload(change.apply(config));
  }

  /** Puts a changed configuration in force for logins and connections from now on. */
  public synchronized void reload(PgringConfig next) {
    prepareSecrets(next);
    config = next;
    pools.values().forEach(pool -> reload(pool, next));
    databasePermits.forEach(
        (name, permits) -> {
          DatabaseConfig database = next.database(name);
          permits.limit(database == null ? 1 : database.maxDbConnections());
        });
    userPermits.forEach(
        (name, permits) -> {
          UserConfig user = next.user(name);
          permits.limit(user == null ? 1 : user.maxUserConnections());
        });
    for (RelayStage lane : lanes) {
      lane.post(lane::onReload);
    }
  }

  /** True once no new work is accepted. */
  public boolean isShuttingDown() {
    return shuttingDown;
  }

  public void shuttingDown() {
    shuttingDown = true;
  }

  SettingsStore settings() {
    return settings;
  }

  StatementStore statements() {
    return statements;
  }

  /**
   * A number for a new connection of a client or to a server, by which logs and console name it.
   */
  long nextConnectionId() {
    return connections.incrementAndGet();
  }

  /** Which databases are paused. */
  public Pauses pauses() {
    return pauses;
  }

  /** Names of databases that no client may log in to; may be changed by any thread. */
  public Set<String> disabledDatabases() {
    return disabledDatabases;
  }

  /** Clients over all lanes, by database and user. */
  public ClientCounts clientCounts() {
    return clientCounts;
  }

  SecureRandom random() {
    return random;
  }

  MockSalts mockSalts() {
    return mockSalts;
  }

  SaltedPasswordCache saltedPasswords() {
    return saltedPasswords;
  }

  ResolverAgent resolver() {
    return resolver;
  }

  Executor background() {
    return background;
  }

  Console console() {
    return console;
  }

  /** The prepared secret of a configured text; null when there is none. */
  Secret secret(String configured) {
    return configured == null ? null : secrets.computeIfAbsent(configured, Secret::parse);
  }

  /** Keys that a client of this user has proved to have, or null before its first login. */
  ScramKeys provenKeys(String user) {
    return provenKeys.get(user);
  }

  void provenKeys(String user, ScramKeys keys) {
    provenKeys.put(user, keys);
  }

  /** All pools that were ever used. */
  public Iterable<SharedPool> pools() {
    return pools.values();
  }

  /** What the lanes share of the pool of a database and user. */
  SharedPool pool(DatabaseConfig database, UserConfig user) {
    SharedPool pool =
        pools.computeIfAbsent(
            new PoolKey(database.name(), user.name()),
            key ->
                new SharedPool(
                    key,
                    database,
                    credentials(database, user),
                    database.poolSizeFor(user),
                    databasePermits.computeIfAbsent(
                        database.name(), name -> new Permits(database.maxDbConnections())),
                    userPermits.computeIfAbsent(
                        user.name(), name -> new Permits(user.maxUserConnections())),
                    logins(database.primary()),
                    lanes.length));
    pauses.apply(pool);
    return pool;
  }

  private void reload(SharedPool pool, PgringConfig next) {
    DatabaseConfig database = next.database(pool.key().database());
    UserConfig user = next.user(pool.key().user());
    if (database != null && user != null) {
      pool.reconfigure(database, credentials(database, user), database.poolSizeFor(user));
    }
  }

  private ServerCredentials credentials(DatabaseConfig database, UserConfig user) {
    UserConfig serverUser =
        database.serverUser() == null ? user : config.user(database.serverUser());
    String name = database.serverUser() == null ? user.name() : database.serverUser();
    String password = database.serverPassword();
    if (password == null && serverUser != null) {
      password = serverUser.password();
    }
    return new ServerCredentials(name, secret(password));
  }

  private ServerLogins logins(Address address) {
    return logins.computeIfAbsent(
        address,
        a ->
            new ServerLogins(
                config.limits().serverLoginsPerS(), config.timeouts().serverLoginRetryNs()));
  }

  private void prepareSecrets(PgringConfig next) {
    next.users().values().forEach(user -> prepare(user.password()));
    next.databases().values().forEach(database -> secret(database.serverPassword()));
  }

  private void prepare(String configured) {
    Secret secret = secret(configured);
    if (secret != null) {
      secret.prepare();
    }
  }
}
