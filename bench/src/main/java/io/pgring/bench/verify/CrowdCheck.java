package io.pgring.bench.verify;

import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Descriptors;
import io.pgring.bench.check.Faults;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Pgbench;
import io.pgring.bench.pgbench.PgbenchOutput;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;
import io.pgring.bench.process.Output;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.wire.Crowd;
import io.pgring.bench.wire.CrowdMember;
import java.util.List;
import java.util.Locale;

/** Thousands of clients that all connect in the same moment, while others are served. */
final class CrowdCheck implements LongCheck {
  private static final int CLIENTS = 5_000;
  private static final int PGBENCH_CLIENTS = 10;
  private static final int LEAD_MILLIS = 1_000;

  /** Five thousand SCRAM logins take some seconds of each side's processor. */
  private static final int ANSWER_LIMIT_MILLIS = 60_000;

  private static final int LOAD_SECONDS = 30;
  private static final int EXIT_LIMIT_SECONDS = 120;

  @Override
  public String name() {
    return "crowd";
  }

  @Override
  public String purpose() {
    return "5,000 clients at once under load: none refused; without descriptors: no spinning";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args);
    int count = options.clientsOr(CLIENTS);
    Descriptors.require(count);
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      boolean held = rush(workbench, stand, options, count);
      held &= new DescriptorFamine(workbench, stand, options).holds();
      return held ? 0 : 1;
    }
  }

  private static boolean rush(Workbench workbench, Stand stand, CheckOptions options, int count) {
    Front front = stand.front(options.peer(), List.of());
    Pgbench.Run load =
        new Pgbench(workbench, stand.account())
            .start(
                front.endpoint(),
                Workload.timed(Mode.S, Protocol.EXTENDED, PGBENCH_CLIENTS, LOAD_SECONDS));
    Pause.millis(LEAD_MILLIS);
    boolean served;
    try (Crowd crowd = new Crowd(front.endpoint(), stand.account())) {
      List<CrowdMember> clients = crowd.connect(count);
      crowd.await(clients, CrowdMember::settled, ANSWER_LIMIT_MILLIS);
      served = report(clients);
      load.process().requireAlive();
    }
    Output output = load.process().await(EXIT_LIMIT_SECONDS);
    boolean clean = output.exitStatus() == 0;
    System.out.printf(
        Locale.ROOT,
        "pgbench meanwhile: %s%n",
        clean
            ? "%.0f tps, no error".formatted(PgbenchOutput.parse(output.text()).tps())
            : "FAILED:\n" + Output.tail(output.text()));
    boolean faultless = Faults.none(front.process());
    workbench.release(front.process());
    return served && clean && faultless;
  }

  private static boolean report(List<CrowdMember> clients) {
    long served = clients.stream().filter(CrowdMember::served).count();
    double slowest =
        clients.stream()
            .filter(CrowdMember::served)
            .mapToDouble(CrowdMember::answerMillis)
            .max()
            .orElse(Double.NaN);
    System.out.printf(
        Locale.ROOT,
        "%d of %d clients were answered, the last after %.1f s%n",
        served,
        clients.size(),
        slowest / 1_000);
    clients.stream()
        .filter(client -> !client.served())
        .map(client -> client.failure() == null ? "no answer in time" : client.failure())
        .distinct()
        .limit(5)
        .forEach(reason -> System.out.println("  not served: " + reason));
    return served == clients.size();
  }
}
