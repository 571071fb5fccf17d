package io.pgring.bench.check;

import io.pgring.bench.fixture.Sql;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.process.Pause;
import java.util.concurrent.TimeUnit;

/** The sessions that PostgreSQL itself sees. Main thread only. */
public final class ServerSessions {
  private static final long POLL_MILLIS = 200;

  private final Sql sql;
  private final Endpoint server;

  /**
   * @param sql as a superuser
   * @param server PostgreSQL itself
   */
  public ServerSessions(Sql sql, Endpoint server) {
    this.sql = sql;
    this.server = server;
  }

  /**
   * @return all sessions but the one that asks
   */
  public int open() {
    return count("true");
  }

  /**
   * Waits until PostgreSQL has as many sessions at most, and none of them is at work or in a
   * transaction.
   *
   * @param sessions at most so many
   * @param limitSeconds how long
   * @return whether it came about in time; if not, the sessions have been printed
   */
  public boolean awaitIdle(int sessions, int limitSeconds) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    while (open() > sessions || count("state <> 'idle'") > 0) {
      if (System.nanoTime() - deadlineNs > 0) {
        System.out.println("  sessions left on the server:\n" + all());
        return false;
      }
      Pause.millis(POLL_MILLIS);
    }
    return true;
  }

  private int count(String condition) {
    return Integer.parseInt(
        sql.query(server, "select count(*) from pg_stat_activity where " + ours(condition)));
  }

  private String all() {
    return sql.query(
        server,
        "select pid, usename, state, wait_event, left(query, 80) from pg_stat_activity where "
            + ours("true"));
  }

  private static String ours(String condition) {
    return "backend_type = 'client backend' and pid <> pg_backend_pid() and " + condition;
  }
}
