package io.pgring.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.PgringConfig;
import io.pgring.session.Session;
import io.pgring.settings.ReportedSettings;
import io.pgring.transport.SlabPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PoolTest {
  private final SharedPool shared = shared(2, new Permits(0), new Permits(0), 3);
  private final Pool pool = new Pool(shared, 0);

  @Test
  void lendsTheConnectionThatWasUsedLast() {
    ServerConnection first = server();
    ServerConnection second = server();
    pool.offerIdle(first);
    pool.offerIdle(second);

    assertThat(pool.longestIdle()).isSameAs(first);
    assertThat(pool.pollIdle()).isSameAs(second);
    assertThat(pool.pollIdle()).isSameAs(first);
    assertThat(pool.pollIdle()).isNull();
    assertThat(pool.longestIdle()).isNull();
  }

  @Test
  void forgetsARemovedConnectionAndNoOther() {
    List<ServerConnection> servers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ServerConnection server = server();
      servers.add(server);
      pool.add(server);
      pool.offerIdle(server);
    }
    Random random = new Random(3);
    while (!servers.isEmpty()) {
      ServerConnection removed = servers.remove(random.nextInt(servers.size()));
      pool.remove(removed);
      pool.remove(removed);

      assertThat(pool.serverCount()).isEqualTo(servers.size());
      assertThat(pool.idleCount()).isEqualTo(servers.size());
      List<ServerConnection> left = new ArrayList<>();
      for (int i = 0; i < pool.serverCount(); i++) {
        left.add(pool.server(i));
      }
      assertThat(left).containsExactlyInAnyOrderElementsOf(servers);
      assertThat(pool.longestIdle()).isSameAs(servers.isEmpty() ? null : servers.get(0));
    }
  }

  @Test
  void servesThoseWhoWaitInTheirOrderWhoeverLeaves() {
    List<Session> waiting = new ArrayList<>();
    Random random = new Random(5);
    for (int step = 0; step < 2_000; step++) {
      int choice = random.nextInt(5);
      if (choice < 2 || waiting.isEmpty()) {
        Session session = session();
        waiting.add(session);
        pool.enqueue(session);
      } else if (choice == 2) {
        assertThat(pool.firstWaiting()).isSameAs(waiting.get(0));
        pool.dequeue(waiting.remove(0));
      } else {
        pool.dequeue(waiting.remove(random.nextInt(waiting.size())));
      }
      assertThat(pool.waitingCount()).isEqualTo(waiting.size());
      assertThat(pool.firstWaiting()).isSameAs(waiting.isEmpty() ? null : waiting.get(0));
    }
    for (Session session : waiting) {
      assertThat(pool.firstWaiting()).isSameAs(session);
      pool.dequeue(session);
    }
    assertThat(pool.firstWaiting()).isNull();
  }

  @Test
  void knowsTheLaneWhoseClientsWaitLongest() {
    Pool second = new Pool(shared, 1);
    Pool third = new Pool(shared, 2);
    Session oldest = session();
    Session middle = session();
    Session youngest = session();
    assertThat(pool.laneThatWaitsLonger()).isEqualTo(-1);

    second.enqueue(oldest);
    othersComeAndGo();
    third.enqueue(middle);
    othersComeAndGo();
    pool.enqueue(youngest);

    assertThat(pool.laneThatWaitsLonger()).isEqualTo(1);
    assertThat(third.laneThatWaitsLonger()).isEqualTo(1);
    assertThat(second.laneThatWaitsLonger()).isEqualTo(-1);

    second.dequeue(oldest);
    assertThat(pool.laneThatWaitsLonger()).isEqualTo(2);
    third.dequeue(middle);
    assertThat(pool.laneThatWaitsLonger()).isEqualTo(-1);
    assertThat(second.laneThatWaitsLonger()).as("whoever waits waits longer").isZero();
  }

  @Test
  void doesNotMoveConnectionsForAFewPlacesInTheQueue() {
    Pool second = new Pool(shared, 1);
    second.enqueue(session());
    pool.enqueue(session());

    assertThat(pool.laneThatWaitsLonger()).isEqualTo(-1);
  }

  /** Lets as many sessions queue and leave as the pool has connections. */
  private void othersComeAndGo() {
    for (int i = 0; i < shared.permits().limit(); i++) {
      Session other = session();
      pool.enqueue(other);
      pool.dequeue(other);
    }
  }

  @Test
  void takesAllPermitsOrNone() {
    Permits database = new Permits(2);
    Permits user = new Permits(1);
    SharedPool limited = shared(3, database, user, 1);

    assertThat(limited.tryAcquire(0)).isTrue();
    assertThat(limited.tryAcquire(0)).as("the user's limit").isFalse();
    assertUsed(limited, database, user, 1);

    user.limit(9);
    assertThat(limited.tryAcquire(0)).isTrue();
    assertThat(limited.tryAcquire(0)).as("the database's limit").isFalse();
    assertUsed(limited, database, user, 2);

    database.limit(9);
    assertThat(limited.tryAcquire(0)).isTrue();
    assertThat(limited.tryAcquire(0)).as("the pool's limit").isFalse();
    assertThat(limited.tryAcquire(1)).as("the reserve").isTrue();
    assertUsed(limited, database, user, 4);

    limited.release();
    assertUsed(limited, database, user, 3);
  }

  @Test
  void aReloadThatChangesTheServerMakesConnectionsOld() {
    PgringConfig config = config("127.0.0.1:5432");
    ServerCredentials credentials = new ServerCredentials("u", null);
    shared.reported(new ReportedSettings(new byte[0]));
    long generation = shared.generation();

    shared.reconfigure(shared.database(), credentials, 7);
    assertThat(shared.generation()).as("the size alone").isEqualTo(generation);
    assertThat(shared.permits().limit()).isEqualTo(7);
    assertThat(shared.reported()).isNotNull();

    shared.reconfigure(shared.database(), new ServerCredentials("other", null), 7);
    assertThat(shared.generation()).isGreaterThan(generation);
    assertThat(shared.reported()).isNull();

    generation = shared.generation();
    shared.reconfigure(config.database("d"), new ServerCredentials("other", null), 7);
    assertThat(shared.generation()).isGreaterThan(generation);
  }

  private static void assertUsed(SharedPool pool, Permits database, Permits user, int used) {
    assertThat(pool.permits().used()).isEqualTo(used);
    assertThat(database.used()).isEqualTo(used);
    assertThat(user.used()).isEqualTo(used);
  }

  private static SharedPool shared(int size, Permits database, Permits user, int lanes) {
    return new SharedPool(
        new PoolKey("d", "u"),
        config("127.0.0.1:1").database("d"),
        new ServerCredentials("u", null),
        size,
        database,
        user,
        new ServerLogins(0, 1),
        lanes);
  }

  private static PgringConfig config(String primary) {
    return PgringConfig.builder().database("d", primary).user("u", "p").build();
  }

  private ServerConnection server() {
    return new ServerConnection(pool, null, new SlabPool(0), null, 0, 0);
  }

  private static Session session() {
    return new Session(null, new SlabPool(0), 0);
  }
}
