package io.pgring.bench.verify;

import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.Descriptors;
import io.pgring.bench.check.Faults;
import io.pgring.bench.fixture.Front;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.process.ProcessClock;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.wire.Crowd;
import io.pgring.bench.wire.CrowdMember;
import java.util.List;
import java.util.Locale;

/**
 * The part of {@link CrowdCheck} in which the proxy runs out of file descriptors: those inside are
 * served on, those outside cost no time, and the first free descriptors let somebody in.
 */
final class DescriptorFamine {
  private static final int ROOM = 200;
  private static final int OUTSIDE = 50;
  private static final int LEAVING = 60;
  private static final int LIMIT_MILLIS = 20_000;

  /** A few refusals every 50 ms cost far less; a busy loop costs a whole core. */
  private static final double CPU_SHARE = 0.2;

  private final Workbench workbench;
  private final Stand stand;
  private final CheckOptions options;

  DescriptorFamine(Workbench workbench, Stand stand, CheckOptions options) {
    this.workbench = workbench;
    this.stand = stand;
    this.options = options;
  }

  boolean holds() {
    Front front = stand.front(options.peer(), List.of());
    long pid = front.process().pid();
    try (Crowd crowd = new Crowd(front.endpoint(), stand.account())) {
      // Server connections are made before: the famine is about clients.
      List<CrowdMember> inside = crowd.connect(ROOM);
      boolean held = expect("served before", crowd, inside);
      Descriptors.limit(workbench, pid, Descriptors.open(pid) + LEAVING);
      List<CrowdMember> last = crowd.connect(LEAVING + OUTSIDE);
      crowd.await(last, CrowdMember::settled, options.seconds() * 500L);
      List<CrowdMember> admitted = last.stream().filter(CrowdMember::served).toList();
      crowd.connect(OUTSIDE);
      double share = ProcessClock.cpuShare(List.of(pid), options.seconds() * 1_000L);
      System.out.printf(
          Locale.ROOT,
          "out of descriptors: %d of %d got in; %.1f %% of a core with %d outside%n",
          admitted.size(),
          last.size(),
          share * 100,
          OUTSIDE);
      held &= share <= CPU_SHARE && admitted.size() < last.size();
      inside.forEach(CrowdMember::ask);
      held &= expect("served on during the famine", crowd, inside);
      admitted.forEach(CrowdMember::leave);
      held &= returns(crowd);
      return held & Faults.none(front.process());
    } finally {
      workbench.release(front.process());
    }
  }

  /** Nobody but those who left has made room. */
  private static boolean returns(Crowd crowd) {
    int attempts = 0;
    long deadlineNs = System.nanoTime() + LIMIT_MILLIS * 1_000_000L;
    while (System.nanoTime() - deadlineNs < 0) {
      attempts++;
      List<CrowdMember> next = crowd.connect(1);
      crowd.await(next, CrowdMember::settled, LIMIT_MILLIS);
      if (next.get(0).served()) {
        System.out.printf("a new client is served again, at attempt %d%n", attempts);
        return true;
      }
    }
    System.out.println("new clients are NOT served again");
    return false;
  }

  private static boolean expect(String what, Crowd crowd, List<CrowdMember> clients) {
    boolean all = crowd.await(clients, CrowdMember::served, LIMIT_MILLIS);
    long count = clients.stream().filter(CrowdMember::served).count();
    System.out.printf("%d of %d clients %s%n", count, clients.size(), what);
    return all;
  }
}
