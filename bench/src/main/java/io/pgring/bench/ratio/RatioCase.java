package io.pgring.bench.ratio;

import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.pgbench.Workload;

/**
 * One line of the comparison.
 *
 * @param mode the transaction
 * @param protocol how queries are sent
 * @param clients connections held at once
 */
record RatioCase(Mode mode, Protocol protocol, int clients) {
  Workload workload(int seconds, int threads) {
    return Workload.timed(mode, protocol, clients, seconds).withThreads(threads);
  }

  String title() {
    return "%s, %s, %d client%s"
        .formatted(mode.label(), protocol.label(), clients, clients == 1 ? "" : "s");
  }
}
