package io.pgring.demo.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Many clients over a small pool, each in one of the modes, each running all scenarios in an order
 * of its own until the time is up. Used by the caller's thread, which waits for those of the
 * clients.
 */
final class Workload {
  private static final int CLIENTS_PER_MODE = 8;
  private static final int MAX_FAILURES = 100;
  private static final long STUCK_AFTER_NS = 60_000_000_000L;

  private final CheckTarget target;
  private final Findings findings;
  private final List<Scenario> scenarios;

  Workload(CheckTarget target, Findings findings, List<Scenario> scenarios) {
    this.target = target;
    this.findings = findings;
    this.scenarios = scenarios;
  }

  /** Number of clients. */
  static int clients() {
    return CLIENTS_PER_MODE * ClientMode.values().length;
  }

  /** Runs for so long, and until every client has run every scenario once. */
  void run(int seconds) throws InterruptedException {
    long endNs = System.nanoTime() + seconds * 1_000_000_000L;
    List<Client> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 1; number <= clients(); number++) {
      ClientMode mode = ClientMode.values()[number % ClientMode.values().length];
      Client client = new Client(target, mode, number, findings);
      Thread thread = new Thread(() -> run(client, endNs), "check-client-" + number);
      thread.setDaemon(true);
      clients.add(client);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    for (int i = 0; i < threads.size(); i++) {
      long patienceNs = Math.max(endNs + STUCK_AFTER_NS - System.nanoTime(), 1_000_000);
      threads.get(i).join(patienceNs / 1_000_000);
      if (threads.get(i).isAlive()) {
        findings.failed(clients.get(i) + ": does not end");
      }
    }
  }

  private void run(Client client, long endNs) {
    List<Scenario> round = new ArrayList<>();
    scenarios.forEach(scenario -> round.addAll(Collections.nCopies(scenario.weight(), scenario)));
    Random order = new Random(client.random().nextLong());
    boolean first = true;
    do {
      Collections.shuffle(round, order);
      for (Scenario scenario : round) {
        if (findings.failures().size() >= MAX_FAILURES
            || !first && System.nanoTime() - endNs >= 0) {
          break;
        }
        client.run(scenario);
      }
      first = false;
    } while (findings.failures().size() < MAX_FAILURES && System.nanoTime() - endNs < 0);
    client.close();
  }
}
