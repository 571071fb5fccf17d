package io.pgring.testkit;

import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One run of a scenario: the server, in most variants a proxy in front of it, and the clients the
 * scenario opens. The scenario first says what differs from the defaults (transaction mode, pool
 * size 2, the shared server), then opens clients; the first one starts the proxy. Closed with
 * everything it opened when the scenario ends. Used by the test's thread; clients may be opened by
 * others once the proxy runs.
 */
public final class Rig implements AutoCloseable {
  private static final Duration EVENTUALLY = Duration.ofSeconds(10);

  private final Variant variant;
  private final PgringConfig.Builder config = PgringConfig.builder();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<Transcript> transcripts = new ArrayList<>();
  private PostgresServer server;
  private int serverPort;
  private Endpoint endpoint;

  Rig(Variant variant) {
    this.variant = variant;
    poolSize(2).user(Login.APP.user(), Login.APP.password());
  }

  /** True if clients talk to PostgreSQL itself. */
  public boolean direct() {
    return variant == Variant.DIRECT;
  }

  /** The number of the proxy's lanes, 0 without a proxy. */
  public int lanes() {
    return variant.lanes();
  }

  public Rig poolSize(int size) {
    return database(ConfigKey.POOL_SIZE, String.valueOf(size));
  }

  /** Sets a key at the top of the proxy's configuration. */
  public Rig option(ConfigKey key, String value) {
    config.set(key, value);
    return this;
  }

  /** Sets a key of the proxy's only database entry. */
  public Rig database(ConfigKey key, String value) {
    config.setForDatabase(PgringConfig.ANY, key, value);
    return this;
  }

  /** A user the proxy knows, with a password, a SCRAM verifier or an md5 hash. */
  public Rig user(String name, String secret) {
    config.user(name, secret);
    return this;
  }

  /** Uses a dedicated server, which stays the caller's to close. */
  public Rig server(PostgresServer dedicated) {
    server = dedicated;
    return this;
  }

  /** The server behind everything. */
  public PostgresServer server() {
    if (server == null) {
      server = PostgresServer.shared();
    }
    return server;
  }

  /** Puts a relay between the proxy (in the direct variant: the clients) and the server. */
  public TcpRelay relay() {
    TcpRelay relay = keep(new TcpRelay(server().port()));
    serverPort = relay.port();
    return relay;
  }

  /** Where clients connect; starts the proxy if it does not run yet. */
  public synchronized SocketAddress address() {
    if (endpoint == null) {
      int port = serverPort == 0 ? server().port() : serverPort;
      endpoint = keep(variant.start(config, port));
    }
    return endpoint.address();
  }

  /** A client logged in as {@code app}. */
  public WireClient client() {
    WireClient client = client(Login.APP);
    if (client.keyData() == null) {
      throw new IllegalStateException("login failed: " + client.loginReplies());
    }
    return client;
  }

  /** A client that has tried to log in; see {@link WireClient#loginReplies}. */
  public WireClient client(Login login) {
    WireClient client = connection();
    client.login(login);
    return client;
  }

  /** A connection on which nothing has been sent. */
  public WireClient connection() {
    WireClient client = keep(WireClient.connect(address()));
    Transcript transcript = new Transcript();
    client.observer(transcript::record);
    synchronized (this) {
      transcripts.add(transcript);
    }
    return client;
  }

  /** A client logged in as {@code app} whose answers are not compared with PostgreSQL's. */
  public WireClient bystander() {
    return keep(WireClient.connect(address(), Login.APP));
  }

  /** Waits for a condition on the server or the proxy that comes about without a further push. */
  public static void eventually(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + EVENTUALLY.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + EVENTUALLY + ": " + what);
      }
      pause(Duration.ofMillis(20));
    }
  }

  /** Lets the other side get on; what follows must not depend on the length. */
  public static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What each client has received, in the order in which they were opened. */
  synchronized List<String> transcripts() {
    return transcripts.stream().map(Transcript::text).toList();
  }

  /** Closes clients, proxy and relay, the last opened first, and what they left on the server. */
  @Override
  public void close() throws Exception {
    try {
      closeOpened();
    } finally {
      server()
          .execute(
              "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                  + " WHERE backend_type = 'client backend' AND usename <> 'postgres'");
    }
  }

  private void closeOpened() throws Exception {
    Exception failure = null;
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized <T extends AutoCloseable> T keep(T resource) {
    opened.add(resource);
    return resource;
  }
}
