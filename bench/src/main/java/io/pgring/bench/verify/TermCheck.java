package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Sql;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Workbench;
import java.util.List;

/**
 * Ends the proxy, or the server behind it, in the middle of TPC-B. Every transaction that a client
 * was told to be committed is there, at most one more a client is (committed, but its answer lost),
 * and none is there in part.
 */
final class TermCheck implements LongCheck {
  private static final int CLIENTS = 10;
  private static final int EXIT_LIMIT_SECONDS = 60;
  private static final int QUIET_LIMIT_MILLIS = 30_000;
  private static final int POLL_MILLIS = 100;

  private enum Blow {
    TERM,
    KILL,
    RESTART
  }

  @Override
  public String name() {
    return "term";
  }

  @Override
  public String purpose() {
    return "TERM, KILL and a server restart under TPC-B lose and invent no transaction";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args);
    boolean held = true;
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      for (Protocol protocol : List.of(Protocol.SIMPLE, Protocol.EXTENDED)) {
        for (Blow blow : Blow.values()) {
          held &= strike(workbench, stand, options, protocol, blow);
        }
      }
    }
    return held ? 0 : 1;
  }

  private static boolean strike(
      Workbench workbench, Stand stand, CheckOptions options, Protocol protocol, Blow blow) {
    int clients = options.clientsOr(CLIENTS);
    Sql sql = new Sql(workbench, stand.account());
    Front front = stand.front(options.peer(), List.of());
    long before = rows(sql, stand);
    Pgbench.Run run =
        new Pgbench(workbench, stand.account())
            .start(
                front.endpoint(),
                Workload.timed(Mode.TPCB, protocol, clients, options.seconds()).logging(1));
    Pause.millis(options.seconds() * 500L);
    run.process().requireAlive();
    deal(blow, front, stand);
    run.await();
    if (blow == Blow.RESTART) {
      sql.awaitAnswer(front.endpoint(), front.process(), EXIT_LIMIT_SECONDS);
    } else {
      front.process().await(EXIT_LIMIT_SECONDS);
    }
    awaitQuiet(sql, stand);
    long logged = run.log().transactions();
    long added = rows(sql, stand) - before;
    workbench.release(front.process());
    return judge(sql, stand, protocol.label() + " " + blow, clients, logged, added);
  }

  private static void deal(Blow blow, Front front, Stand stand) {
    switch (blow) {
      case TERM -> front.process().terminate();
      case KILL -> front.process().kill();
      case RESTART -> stand.server().restart();
    }
  }

  private static boolean judge(
      Sql sql, Stand stand, String title, int clients, long logged, long added) {
    boolean counted = logged > 0 && logged <= added && added <= logged + clients;
    String sums =
        sql.query(
            stand.server().endpoint(),
            "select (select sum(delta) from pgbench_history) = all (array["
                + "(select sum(abalance) from pgbench_accounts),"
                + "(select sum(tbalance) from pgbench_tellers),"
                + "(select sum(bbalance) from pgbench_branches)])");
    boolean balanced = "t".equals(sums);
    System.out.printf(
        "%-18s %d logged, %d in pgbench_history (at most %d more allowed): %s; sums %s%n",
        title, logged, added, clients, counted ? "ok" : "WRONG", balanced ? "equal" : "DIFFER");
    return counted && balanced;
  }

  /** The server may still be at work for clients that are gone. */
  private static void awaitQuiet(Sql sql, Stand stand) {
    String busy =
        "select count(*) from pg_stat_activity where datname = current_database()"
            + " and pid <> pg_backend_pid() and backend_type = 'client backend'"
            + " and state <> 'idle'";
    for (int waited = 0; !"0".equals(sql.query(stand.server().endpoint(), busy)); ) {
      if ((waited += POLL_MILLIS) > QUIET_LIMIT_MILLIS) {
        throw new BenchFailure("a server connection stays in its transaction");
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  private static long rows(Sql sql, Stand stand) {
    return Long.parseLong(
        sql.query(stand.server().endpoint(), "select count(*) from pgbench_history"));
  }
}
