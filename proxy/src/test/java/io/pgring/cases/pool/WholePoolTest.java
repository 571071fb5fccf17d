package io.pgring.cases.pool;

import static io.pgring.testkit.wire.FrontendMessages.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Whoever waits gets one of the pool's connections, however many of them are at work already. */
@Timeout(60)
class WholePoolTest {
  private static final int POOL_SIZE = 12;

  /** Each transaction goes on only when all have begun: with fewer connections none would end. */
  @ProxyTest(direct = false, compare = false)
  void transactionsThatWaitForEachOtherAllRun(Rig rig) {
    List<WireClient> clients = clients(rig, POOL_SIZE);
    clients.forEach(client -> client.send(query("BEGIN")));
    clients.forEach(client -> assertThat(client.trace()).isEqualTo("C[BEGIN] ZT"));
    clients.forEach(client -> assertThat(client.query("COMMIT")).isEqualTo("C[COMMIT] ZI"));
  }

  /** All but one connection wait for a lock that an idle transaction holds. */
  @ProxyTest(direct = false, compare = false)
  void blockedTransactionsLeaveTheRestOfThePoolToOthers(Rig rig) {
    List<WireClient> clients = clients(rig, POOL_SIZE);
    WireClient holder = clients.remove(0);
    WireClient other = clients.remove(0);
    holder.query("BEGIN");
    holder.query("SELECT pg_advisory_xact_lock(77)");
    clients.forEach(client -> client.send(query("SELECT pg_advisory_xact_lock(77)")));

    for (int i = 0; i < 3; i++) {
      assertThat(other.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
    }

    assertThat(holder.query("COMMIT")).isEqualTo("C[COMMIT] ZI");
    clients.forEach(client -> assertThat(client.trace()).endsWith("C[SELECT 1] ZI"));
  }

  private static List<WireClient> clients(Rig rig, int count) {
    rig.poolSize(POOL_SIZE);
    List<WireClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(rig.client());
    }
    return clients;
  }
}
