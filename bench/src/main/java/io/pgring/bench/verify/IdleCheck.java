package io.pgring.bench.verify;

import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Descriptors;
import io.pgring.bench.check.Footprint;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.process.ProcessClock;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.trace.Jcmd;
import java.util.List;
import java.util.Locale;

/** Many clients that say nothing: what each costs in memory, and that they cost no time. */
final class IdleCheck implements LongCheck {
  private static final int CLIENTS = 5_000;
  private static final int WARMUP_CLIENTS = 20;
  private static final double BYTES_PER_CLIENT = 4_096;

  /** One part in a hundred of a core: the lanes' timers tick with or without clients. */
  private static final double CPU_SHARE = 0.01;

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String purpose() {
    return "5,000 idle clients take at most 4 KiB of heap and direct memory each, and no CPU";
  }

  @Override
  public int run(String... args) {
    CheckOptions options = CheckOptions.parse(args);
    int count = options.clientsOr(CLIENTS);
    Descriptors.require(count);
    try (Workbench workbench = Workbench.open()) {
      Stand stand = Stand.start(workbench, options.stand());
      Front front = stand.front(options.peer(), List.of("-XX:NativeMemoryTracking=summary"));
      IdleClients.open(front.endpoint(), stand.account(), WARMUP_CLIENTS).close();
      Footprint before = footprint(workbench, front, options.peer());
      try (IdleClients clients = IdleClients.open(front.endpoint(), stand.account(), count)) {
        Footprint growth = before.growthTo(footprint(workbench, front, options.peer()));
        double share = ProcessClock.cpuShare(front.endpoint().pids(), options.seconds() * 1_000L);
        return judge(count, growth, share, options.peer());
      }
    }
  }

  private static int judge(int count, Footprint growth, double share, boolean peer) {
    double heap = (double) growth.heap() / count;
    double direct = (double) growth.direct() / count;
    double resident = (double) growth.resident() / count;
    System.out.printf(
        Locale.ROOT,
        "%d idle clients: %.0f bytes of heap, %.0f of direct memory, %.0f resident each; "
            + "%.2f %% of a core%n",
        count,
        heap,
        direct,
        resident,
        share * 100);
    double counted = peer ? resident : heap + direct;
    return counted <= BYTES_PER_CLIENT && share <= CPU_SHARE ? 0 : 1;
  }

  private static Footprint footprint(Workbench workbench, Front front, boolean peer) {
    long pid = front.process().pid();
    return peer ? Footprint.ofProcess(pid) : Footprint.ofJvm(new Jcmd(workbench, pid), pid);
  }
}
