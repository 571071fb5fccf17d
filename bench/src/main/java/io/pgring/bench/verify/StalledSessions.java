package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.fixture.Sql;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.process.Pause;
import io.pgring.bench.wire.Requests;
import io.pgring.bench.wire.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sessions of one user that fill its pool and do not get on: clients that do not read a large
 * result, COPY and long statements into servers that wait for a lock and do not read, and clients
 * that wait for a connection of the full pool. Owned by the main thread; what is written into
 * servers that do not read is written by threads of its own, which end with their connections.
 */
final class StalledSessions implements AutoCloseable {
  private static final String TABLE = "stalled";
  private static final int READERS = 5;
  private static final int WRITERS = 6;
  private static final int PARKED = 20;
  private static final int LIMIT_MILLIS = 20_000;
  private static final int POLL_MILLIS = 100;
  private static final int PIECE_BYTES = 1 << 16;

  /** Far more than all buffers on the way hold. */
  private static final String LARGE_RESULT =
      "select repeat('x', 1000), generate_series(1, 1000000)";

  private final Endpoint proxy;
  private final Account account;
  private final List<WireClient> clients = new ArrayList<>();

  private StalledSessions(Endpoint proxy, Account account) {
    this.proxy = proxy;
    this.account = account;
  }

  /** Creates the table that is locked. */
  static void prepare(Sql sql, Endpoint server) {
    sql.query(server, "create table " + TABLE + " (line text)");
    sql.query(server, "grant all on " + TABLE + " to public");
  }

  /**
   * Opens all of them.
   *
   * @param proxy where
   * @param account as whom
   * @param poolSize server connections of that account; all will be in use
   * @param sql asks the server whether they have come to a stop
   * @param server PostgreSQL itself
   */
  static StalledSessions open(
      Endpoint proxy, Account account, int poolSize, Sql sql, Endpoint server) {
    StalledSessions sessions = new StalledSessions(proxy, account);
    try {
      sessions.fill(poolSize);
      sessions.awaitStop(sql, server);
      for (int i = 0; i < PARKED; i++) {
        sessions.client().send(Requests.query("select 1"));
      }
      return sessions;
    } catch (IOException e) {
      sessions.close();
      throw new BenchFailure("a stalled session: " + e.getMessage(), e);
    }
  }

  private void fill(int poolSize) throws IOException {
    client().query("begin; lock table " + TABLE + " in access exclusive mode");
    for (int i = 0; i < READERS; i++) {
      client().send(Requests.query(LARGE_RESULT));
    }
    for (int i = 0; i < WRITERS; i++) {
      writeWithoutEnd(client(), i % 2 == 0);
    }
    for (int i = 1 + READERS + WRITERS; i < poolSize; i++) {
      client().query("begin");
    }
  }

  private WireClient client() throws IOException {
    WireClient client = WireClient.login(proxy, account, LIMIT_MILLIS);
    clients.add(client);
    return client;
  }

  private static void writeWithoutEnd(WireClient client, boolean copy) {
    byte[] first =
        Requests.query(copy ? "copy " + TABLE + " from stdin" : "select count(*) from " + TABLE);
    byte[] rows =
        "a line of a table that is locked meanwhile\n".repeat(PIECE_BYTES / 43).getBytes();
    byte[] more =
        copy ? Requests.copyData(rows) : Requests.query("select '" + "x".repeat(PIECE_BYTES) + "'");
    Thread writer =
        new Thread(
            () -> {
              try {
                for (client.send(first); true; ) {
                  client.send(more);
                }
              } catch (IOException closed) {
                return;
              }
            },
            "stalled-writer");
    writer.setDaemon(true);
    writer.start();
  }

  private void awaitStop(Sql sql, Endpoint server) {
    for (int waited = 0; !stopped(sql, server); waited += POLL_MILLIS) {
      if (waited > LIMIT_MILLIS) {
        throw new BenchFailure("the sessions that are to be stalled are not");
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  /** Whether as many servers as expected wait for their clients and for the lock. */
  boolean stopped(Sql sql, Endpoint server) {
    String stopped =
        "select count(*) filter (where wait_event = 'ClientWrite') >= "
            + READERS
            + " and count(*) filter (where wait_event_type = 'Lock') >= "
            + WRITERS
            + " from pg_stat_activity where usename = '"
            + account.user()
            + "'";
    return "t".equals(sql.query(server, stopped));
  }

  @Override
  public void close() {
    clients.forEach(WireClient::close);
  }
}
