package io.pgring.bench.verify;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Descriptors;
import io.pgring.bench.check.Faults;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.check.ServerSessions;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Sql;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Output;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Workbench;
import java.util.List;

/**
 * Kills the proxy, and restarts and crashes the server behind it, again and again under load.
 * {@link TermCheck} looks at the data; this looks at whether everything works afterwards.
 */
final class KillCheck implements LongCheck {
  private static final int ROUNDS = 4;
  private static final int CLIENTS = 20;

  /** Per client; counted, since even the logins take seconds on a busy machine. */
  private static final int TRANSACTIONS_AFTERWARDS = 20;

  private static final int LIMIT_SECONDS = 30;

  /** What may be open later without being a leak: connections and files of the moment. */
  private static final int SPARE_DESCRIPTORS = 10;

  @Override
  public String name() {
    return "kill";
  }

  @Override
  public String purpose() {
    return "kill -9 and server restarts under load: errors, then all works, no session stays";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args);
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      Round round = new Round(workbench, stand, options);
      boolean held = true;
      for (int i = 0; i < options.roundsOr(ROUNDS); i++) {
        held &= round.killTheProxy();
      }
      held &= round.breakTheServer();
      return held ? 0 : 1;
    }
  }

  private static final class Round {
    private final Workbench workbench;
    private final Stand stand;
    private final CheckOptions options;
    private final Pgbench pgbench;
    private final Sql sql;
    private final ServerSessions sessions;

    Round(Workbench workbench, Stand stand, CheckOptions options) {
      this.workbench = workbench;
      this.stand = stand;
      this.options = options;
      this.pgbench = new Pgbench(workbench, stand.account());
      this.sql = new Sql(workbench, stand.account());
      this.sessions = new ServerSessions(sql, stand.server().endpoint());
    }

    boolean killTheProxy() {
      Front front = stand.front(options.peer(), List.of());
      List<Pgbench.Run> loads = load(front);
      front.process().kill();
      boolean held = allFail(loads);
      held &= sessions.awaitIdle(0, LIMIT_SECONDS);
      workbench.release(front.process());
      Front next = stand.front(options.peer(), List.of());
      held &= works(next);
      workbench.release(next.process());
      held &= sessions.awaitIdle(0, LIMIT_SECONDS);
      return verdict("proxy killed", held);
    }

    /** All rounds with the same proxy, in which what is lost would add up. */
    boolean breakTheServer() {
      Front front = stand.front(options.peer(), List.of());
      boolean held = works(front);
      int descriptors = Descriptors.open(front.process().pid());
      for (int i = 0; i < options.roundsOr(ROUNDS); i++) {
        held &= breakOnce(front, i % 2 == 0);
      }
      int more = Descriptors.open(front.process().pid()) - descriptors;
      System.out.printf("the proxy has %d descriptors more than before%n", more);
      held &= more <= SPARE_DESCRIPTORS && Faults.none(front.process());
      workbench.release(front.process());
      return held;
    }

    private boolean breakOnce(Front front, boolean crash) {
      List<Pgbench.Run> loads = load(front);
      if (crash) {
        stand.server().crash();
      } else {
        stand.server().restart();
      }
      boolean held = allFail(loads);
      sql.awaitAnswer(front.endpoint(), front.process(), LIMIT_SECONDS);
      held &= works(front);
      held &= sessions.awaitIdle(stand.poolSize(), LIMIT_SECONDS);
      return verdict(crash ? "server crashed" : "server restarted", held);
    }

    private List<Pgbench.Run> load(Front front) {
      int clients = options.clientsOr(CLIENTS);
      List<Pgbench.Run> loads =
          List.of(
              start(front, Workload.timed(Mode.TPCB, Protocol.SIMPLE, clients, options.seconds())),
              start(front, Workload.timed(Mode.S, Protocol.EXTENDED, clients, options.seconds())));
      Pause.millis(options.seconds() * 500L);
      loads.forEach(load -> load.process().requireAlive());
      return loads;
    }

    private Pgbench.Run start(Front front, Workload workload) {
      return pgbench.start(front.endpoint(), workload.logging(0));
    }

    /**
     * Clients that waited for a server connection may live through a restart; some had a question
     * open, and pgbench tells by its exit status.
     */
    private boolean allFail(List<Pgbench.Run> loads) {
      boolean failed = true;
      for (Pgbench.Run load : loads) {
        Output output = load.process().await(options.seconds() + LIMIT_SECONDS);
        if (output.exitStatus() == 0) {
          System.out.println("  pgbench saw no error:\n" + Output.tail(output.text()));
          failed = false;
        }
      }
      return failed;
    }

    private boolean works(Front front) {
      int clients = options.clientsOr(CLIENTS);
      try {
        for (Protocol protocol : List.of(Protocol.SIMPLE, Protocol.EXTENDED)) {
          pgbench.run(
              front.endpoint(),
              Workload.timed(Mode.TPCB, protocol, clients, 0)
                  .counted(TRANSACTIONS_AFTERWARDS)
                  .logging(0));
        }
        return true;
      } catch (BenchFailure e) {
        System.out.println("  afterwards: " + e.getMessage());
        return false;
      }
    }

    private static boolean verdict(String what, boolean held) {
      System.out.printf("%-18s %s%n", what, held ? "ok" : "WRONG");
      return held;
    }
  }
}
