package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.copyData;
import static io.pgring.testkit.wire.FrontendMessages.copyDone;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.repeat;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Reply;
import io.pgring.testkit.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;

/** Peers that do not keep up: the other side is slowed down, nothing piles up in between. */
@Timeout(60)
class SlowPeerTest {
  private static final int ROWS = 60_000;
  private static final int REQUESTS = 5_000;
  private static final int CLIENTS = 3;

  /** That the server itself waits for its client shows that the proxy has stopped reading. */
  @ProxyTest(compare = false)
  void slowReadersHoldUpTheServer(Rig rig) {
    rig.poolSize(CLIENTS + 1);
    List<WireClient> slow = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      WireClient client = rig.bystander();
      client.send(query("SELECT repeat('x', 1000) FROM generate_series(1, " + ROWS + ")"));
      slow.add(client);
    }
    Rig.eventually("all wait for their clients", () -> waitingServers(rig) == CLIENTS);
    for (int i = 0; i < 20; i++) {
      assertThat(rig.client().query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
    }
    Rig.eventually("all still wait for them", () -> waitingServers(rig) == CLIENTS);
    assertThat(count('D', slow.get(0))).isEqualTo(ROWS);
  }

  @ProxyTest(compare = false)
  void aLongPipelineWithAnswersLargerThanAnyBuffer(Rig rig) {
    WireClient client = rig.poolSize(1).bystander();
    CompletableFuture<Integer> answers = CompletableFuture.supplyAsync(() -> count('C', client));
    byte[] requests = repeat(100, extended("SELECT repeat('y', 3000)"));
    for (int i = 0; i < REQUESTS / 100; i++) {
      client.send(requests);
    }
    client.send(sync());
    assertThat(answers.join()).isEqualTo(REQUESTS);
  }

  /** The server does not read while it waits for a lock. */
  @ProxyTest(compare = false)
  void aServerThatDoesNotReadHoldsUpItsClientOnly(Rig rig) throws Exception {
    rig.server().createTable("slow_copy", "t text");
    WireClient holder = rig.poolSize(3).client();
    holder.query("BEGIN; LOCK TABLE slow_copy IN ACCESS EXCLUSIVE MODE");
    WireClient writer = rig.bystander();
    CompletableFuture<Void> written = CompletableFuture.runAsync(() -> copyRows(writer));
    for (int i = 0; i < 20; i++) {
      assertThat(rig.client().query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
    }
    assertThat(written).isNotDone();
    assertThat(holder.query("COMMIT")).isEqualTo("C[COMMIT] ZI");
    written.get();
    assertThat(writer.trace("Z", 2)).isEqualTo("C[BEGIN] ZT G C[COPY 20000] ZT");
  }

  private static void copyRows(WireClient writer) {
    writer.send(query("BEGIN"), query("COPY slow_copy FROM STDIN"));
    byte[] rows = repeat(1000, copyData("z".repeat(999) + "\n"));
    for (int i = 0; i < 20; i++) {
      writer.send(rows);
    }
    writer.send(copyDone());
  }

  private static long waitingServers(Rig rig) {
    return Long.parseLong(
        rig.server()
            .scalar(
                "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE usename = 'app' AND wait_event = 'ClientWrite'"));
  }

  private static int count(char type, WireClient client) {
    int count = 0;
    for (Reply reply = client.read(); reply.type() != 'Z'; reply = client.read()) {
      assertThat(reply.type()).isNotEqualTo(Reply.END);
      count += reply.type() == type ? 1 : 0;
    }
    return count;
  }
}
