package io.pgring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.config.ThreadingMode;
import io.pgring.testkit.PostgresServer;
import io.pgring.testkit.wire.FrontendMessages;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a lane's threads allocate while a real PostgreSQL answers: nothing per request, and nothing
 * for a connection that moves to a lane where it has been before. Logins and cancel requests open
 * connections and may allocate; they are not among the workloads.
 *
 * <p>The JVM allocates on these threads too, once for each call site it links. So there are several
 * rounds, the least of them counts, and a byte per request is allowed, which is less than one
 * object in sixteen requests.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LaneAllocationTest {
  private static final int REQUESTS = 20_000;
  private static final int FEWER_REQUESTS = 2_000;
  private static final int ROUNDS = 4;

  private static final byte[] SIMPLE = FrontendMessages.query("select 1");

  /** What one client does over and over; each ends with so many ReadyForQuery messages. */
  private enum Workload {
    SIMPLE_QUERY(1, FrontendMessages.query("select 1")),
    EXTENDED(
        1,
        FrontendMessages.parse("", "select $1::int4", 23),
        FrontendMessages.bind("", "", "7"),
        FrontendMessages.describePortal(""),
        FrontendMessages.execute(),
        FrontendMessages.sync()),
    PREPARED(
        1,
        FrontendMessages.bind("", "named", "7"),
        FrontendMessages.execute(),
        FrontendMessages.sync()),
    PIPELINED(4, SIMPLE, SIMPLE, SIMPLE, SIMPLE),
    TRANSACTION(3, FrontendMessages.query("begin"), SIMPLE, FrontendMessages.query("commit")),
    LARGE_ROW(1, FrontendMessages.query("select repeat('x', 200000)")),
    LARGE_QUERY(1, FrontendMessages.query("select length('" + "x".repeat(100_000) + "')")),
    ERROR(1, FrontendMessages.query("select 1/0"));

    final int units;
    final byte[] request;
    final int requests;

    Workload(int units, byte[]... messages) {
      this.units = units;
      this.request = FrontendMessages.concat(messages);
      this.requests = name().startsWith("LARGE") ? FEWER_REQUESTS : REQUESTS;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SIMPLE_QUERY, FUSED, 1, 1, 2",
    "SIMPLE_QUERY, FUSED, 1, 6, 2",
    "SIMPLE_QUERY, FUSED, 2, 2, 1",
    "SIMPLE_QUERY, FUSED, 2, 6, 2",
    "SIMPLE_QUERY, STAGED, 1, 6, 2",
    "SIMPLE_QUERY, STAGED, 2, 6, 2",
    "EXTENDED, FUSED, 1, 6, 2",
    "EXTENDED, FUSED, 2, 3, 2",
    "PREPARED, FUSED, 1, 1, 2",
    "PREPARED, FUSED, 1, 6, 2",
    "PREPARED, FUSED, 2, 2, 1",
    "PREPARED, FUSED, 2, 6, 2",
    "PREPARED, STAGED, 1, 6, 2",
    "PIPELINED, FUSED, 1, 3, 2",
    "TRANSACTION, FUSED, 1, 6, 2",
    "TRANSACTION, FUSED, 2, 6, 2",
    "LARGE_ROW, FUSED, 1, 3, 2",
    "LARGE_QUERY, FUSED, 1, 3, 2",
    "ERROR, FUSED, 1, 6, 2"
  })
  void nothingPerRequest(
      Workload workload, ThreadingMode threading, int lanes, int clientCount, int poolSize)
      throws Exception {
    PostgresServer server = PostgresServer.shared();
    Set<Thread> others = Thread.getAllStackTraces().keySet();
    try (Proxy proxy = start(server, threading, lanes, poolSize)) {
      long[] laneThreads = laneThreads(others);
      assertThat(laneThreads).hasSize(threading == ThreadingMode.FUSED ? lanes : 5 * lanes);
      List<WireClient> clients = new ArrayList<>();
      for (int i = 0; i < clientCount; i++) {
        clients.add(connect(proxy));
      }
      run(clients, workload, workload.requests);
      long toleratedBytes = workload.requests;
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least > toleratedBytes; round++) {
        long before = allocatedBytes(laneThreads);
        run(clients, workload, workload.requests);
        least = Math.min(least, allocatedBytes(laneThreads) - before);
      }
      clients.forEach(WireClient::close);

      assertThat(least)
          .as("bytes for %s requests", workload.requests)
          .isLessThanOrEqualTo(toleratedBytes);
    }
  }

  /**
   * Where there are more clients than the pool has connections, they wait for one another; in
   * several lanes, connections move between them.
   */
  private static Proxy start(
      PostgresServer server, ThreadingMode threading, int lanes, int poolSize) throws IOException {
    return Proxy.start(
        PgringConfig.builder()
            .threading(threading)
            .set(ConfigKey.LANES, String.valueOf(lanes))
            .set(ConfigKey.LISTEN, "127.0.0.1:0")
            .set(ConfigKey.AUTH_TYPE, "trust")
            .database("app", "127.0.0.1:" + server.port())
            .setForDatabase("app", ConfigKey.POOL_SIZE, String.valueOf(poolSize))
            .user("app", "app")
            .build());
  }

  private static WireClient connect(Proxy proxy) {
    WireClient client =
        WireClient.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()), Login.APP);
    client.send(FrontendMessages.parse("named", "select $1::int4", 23), FrontendMessages.sync());
    client.until("Z");
    return client;
  }

  /** The clients share the requests. */
  private static void run(List<WireClient> clients, Workload workload, int requests)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (WireClient client : clients) {
      Thread thread = new Thread(() -> repeat(client, workload, requests / clients.size()));
      thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  private static void repeat(WireClient client, Workload workload, int requests) {
    for (int i = 0; i < requests; i++) {
      client.send(workload.request);
      client.until("Z", workload.units);
    }
  }

  /** All that the proxy has started, but for those that serve no requests. */
  private static long[] laneThreads(Set<Thread> others) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !others.contains(thread))
        .filter(thread -> !thread.getName().matches(".*(acceptor|resolver|background).*"))
        .mapToLong(Thread::getId)
        .toArray();
  }

  private static long allocatedBytes(long[] threads) {
    ThreadMXBean beans = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long bytes : beans.getThreadAllocatedBytes(threads)) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }
}
