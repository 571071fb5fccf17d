package io.pgring.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.pgring.Proxy;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.config.ThreadingMode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** A short, repeatable part of {@link FuzzCheck}, against a proxy in this JVM. */
@Timeout(120)
class FuzzSampleTest {
  private static final int CASES = 400;
  private static final int POOL_SIZE = 3;
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(20);
  private static final Account HOSTILE = new Account("hostile", "secret", "postgres");
  private static final Account HONEST = new Account("honest", "secret", "postgres");

  private static EmbeddedPostgres server;

  @BeforeAll
  static void startServer() throws IOException, SQLException {
    server = EmbeddedPostgres.builder().setPgBinaryResolver(FuzzSampleTest::binary).start();
    execute("create role hostile login");
    execute("create role honest login");
    execute("alter role hostile set statement_timeout = '3s'");
    execute("create table " + DriverTraffic.TABLE + " (i int, t text)");
    execute("grant all on " + DriverTraffic.TABLE + " to public");
  }

  /** The packaged proxy names its libraries too, and the usual resolver objects to finding two. */
  private static InputStream binary(String system, String architecture) {
    String machine = architecture.equals("aarch64") ? "arm_64" : architecture;
    String name = "/postgres-%s-%s.txz".formatted(system.toLowerCase(Locale.ROOT), machine);
    return FuzzSampleTest.class.getResourceAsStream(name);
  }

  @AfterAll
  static void stopServer() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"FUSED, 1, 1", "STAGED, 2, 100001"})
  void staysAliveAndLeaksNothing(ThreadingMode threading, int lanes, long seed) throws Exception {
    try (Faults faults = new Faults();
        Proxy proxy = Proxy.start(config(threading, lanes))) {
      Endpoint endpoint = new Endpoint("pgring", "127.0.0.1", proxy.port(), List.of());
      FuzzRun run = FuzzRun.prepare(endpoint, HOSTILE, HONEST, seed);
      run.run(CASES);
      assertThat(run.failures()).isEmpty();
      assertThat(run.nextSeed()).isEqualTo(seed + CASES);
      awaitIdle();
      assertThat(faults.messages).isEmpty();
    }
  }

  private static PgringConfig config(ThreadingMode threading, int lanes) {
    return PgringConfig.builder()
        .set(ConfigKey.LISTEN, "127.0.0.1:0")
        .set(ConfigKey.LANES, String.valueOf(lanes))
        .threading(threading)
        .database(PgringConfig.ANY, "127.0.0.1:" + server.getPort())
        .setForDatabase(PgringConfig.ANY, ConfigKey.POOL_SIZE, String.valueOf(POOL_SIZE))
        .user(HOSTILE.user(), HOSTILE.password())
        .user(HONEST.user(), HONEST.password())
        .build();
  }

  private static void awaitIdle() throws Exception {
    long deadlineNs = System.nanoTime() + IDLE_LIMIT.toNanos();
    while (count("true") > 2 * POOL_SIZE || count("state <> 'idle'") > 0) {
      assertThat(System.nanoTime()).as("sessions left on the server").isLessThan(deadlineNs);
      Thread.sleep(50);
    }
  }

  private static int count(String condition) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where usename in ('hostile', 'honest') and "
                    + condition)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Collects what is logged as an error, or with a stack trace, while it is open. */
  private static final class Faults extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

    Faults() {
      setContext(root.getLoggerContext());
      start();
      root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getThrowableProxy() != null || event.getLevel().isGreaterOrEqual(Level.ERROR)) {
        messages.add(event.toString());
      }
    }

    @Override
    public void close() {
      root.detachAppender(this);
    }
  }
}
