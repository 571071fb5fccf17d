package io.pgring.jmh;

import io.pgring.config.PgringConfig;
import io.pgring.pool.Permits;
import io.pgring.pool.Pool;
import io.pgring.pool.PoolKey;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerCredentials;
import io.pgring.pool.ServerLogins;
import io.pgring.pool.SharedPool;
import io.pgring.session.Session;
import io.pgring.transport.SlabPool;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** What a pool does for each request of transaction mode. */
public class PoolBenchmark extends HotPathBenchmark {
  private static final int SERVERS = 20;
  private static final int WAITING = 80;

  private Pool pool;
  private Session session;

  /** A pool whose connections are idle, and another order of sessions that wait. */
  @Setup
  public void setUp() {
    PgringConfig config =
        PgringConfig.builder().database("d", "127.0.0.1:1").user("u", "p").build();
    SharedPool shared =
        new SharedPool(
            new PoolKey("d", "u"),
            config.database("d"),
            new ServerCredentials("u", null),
            SERVERS,
            new Permits(0),
            new Permits(0),
            new ServerLogins(0, 1),
            2);
    SlabPool slabs = new SlabPool(0);
    pool = new Pool(shared, 0);
    for (int i = 0; i < SERVERS; i++) {
      ServerConnection server = new ServerConnection(pool, null, slabs, null, 0, 0);
      pool.add(server);
      pool.offerIdle(server);
    }
    for (int i = 0; i < WAITING; i++) {
      pool.enqueue(new Session(null, slabs, 0));
    }
    session = pool.firstWaiting();
    pool.dequeue(session);
  }

  /** Nobody waits: takes the connection used last, and gives it back. */
  @Benchmark
  public ServerConnection takeAndReturn() {
    ServerConnection server = pool.pollIdle();
    pool.offerIdle(server);
    return server;
  }

  /** Others wait: goes to the end of the queue, and the first one gets a connection. */
  @Benchmark
  public int waitAndHandOver() {
    pool.enqueue(session);
    session = pool.firstWaiting();
    int lane = pool.laneThatWaitsLonger();
    pool.dequeue(session);
    return lane;
  }
}
