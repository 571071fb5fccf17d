package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.PostgresServer;
import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Clients or the server come and go: the server sees few logins, and service comes back. */
@Timeout(60)
class ConnectionChurnTest {
  private static final int POOL_SIZE = 5;
  private static final int CLIENTS = 30;
  private static final long CHURN_NS = Duration.ofSeconds(2).toNanos();

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.builder().start();
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @ProxyTest(direct = false, compare = false)
  void abruptExitsOfClientsAreNoLoginsOnTheServer(Rig rig) throws Exception {
    rig.server(server).poolSize(POOL_SIZE).address();
    int loginsBefore = logins();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    List<Future<Integer>> exits = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      exits.add(threads.submit(() -> churn(rig)));
    }
    threads.shutdown();
    int peak = 0;
    while (!threads.awaitTermination(20, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, sessions());
    }
    int exitCount = 0;
    for (Future<Integer> exit : exits) {
      exitCount += exit.get();
    }
    assertThat(peak).isLessThanOrEqualTo(POOL_SIZE);
    assertThat(logins() - loginsBefore).isLessThan(exitCount / 2);
    assertThat(rig.client().query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
  }

  @ProxyTest(direct = false, compare = false)
  void aRestartedServerIsUsedAgain(Rig rig) {
    WireClient client = rig.server(server).poolSize(POOL_SIZE).client();
    assertThat(client.query("SELECT 1")).endsWith("ZI");
    server.stop();
    Rig.pause(Duration.ofMillis(100));
    server.start();
    Rig.eventually("a new client is served", () -> isServed(rig));
    assertThat(sessions()).isLessThanOrEqualTo(POOL_SIZE);
  }

  /** Logs in, sends a query and resets the connection, again and again; the number of times. */
  private static int churn(Rig rig) {
    long end = System.nanoTime() + CHURN_NS;
    int count = 0;
    while (System.nanoTime() - end < 0) {
      try (WireClient client = WireClient.connect(rig.address(), Login.APP)) {
        client.send(query("SELECT pg_sleep(0.2)"));
        Rig.pause(Duration.ofMillis(20));
        client.abort();
        count++;
      }
    }
    return count;
  }

  private static boolean isServed(Rig rig) {
    try (WireClient client = WireClient.connect(rig.address(), Login.APP)) {
      return client.keyData() != null
          && client.query("SELECT 1").equals("T D('1',) C[SELECT 1] ZI");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static int sessions() {
    return Integer.parseInt(
        server.scalar("SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'"));
  }

  private static int logins() {
    return server.log().split("connection authorized: user=app ", -1).length - 1;
  }
}
