package io.pgring.admin.show;

import io.pgring.pool.Pool;

/** Counters of one or several pools. A value; used by the thread that made it. */
final class Traffic {
  /** What is counted since the start; times in nanoseconds. */
  enum Counter {
    SERVER_ASSIGNMENTS,
    TRANSACTIONS,
    QUERIES,
    RECEIVED_BYTES,
    SENT_BYTES,
    TRANSACTION_TIME,
    QUERY_TIME,
    WAIT_TIME,
    CLIENT_PARSES,
    SERVER_PARSES,
    BINDS
  }

  private final long[] values = new long[Counter.values().length];

  /** The counters of one lane's pool; on the lane's thread. */
  static Traffic of(Pool pool) {
    Traffic traffic = new Traffic();
    traffic.set(Counter.SERVER_ASSIGNMENTS, pool.assignmentCount);
    traffic.set(Counter.TRANSACTIONS, pool.transactionCount);
    traffic.set(Counter.QUERIES, pool.queryCount);
    // PgBouncer counts received and sent on its clients' side; what clients send goes to servers.
    traffic.set(Counter.RECEIVED_BYTES, pool.sentBytes);
    traffic.set(Counter.SENT_BYTES, pool.receivedBytes);
    traffic.set(Counter.TRANSACTION_TIME, pool.transactionTimeNs);
    traffic.set(Counter.QUERY_TIME, pool.queryTimeNs);
    traffic.set(Counter.WAIT_TIME, pool.waitTimeNs);
    traffic.set(Counter.CLIENT_PARSES, pool.clientParseCount);
    traffic.set(Counter.SERVER_PARSES, pool.serverParseCount);
    traffic.set(Counter.BINDS, pool.bindCount);
    return traffic;
  }

  private void set(Counter counter, long value) {
    values[counter.ordinal()] = value;
  }

  long of(Counter counter) {
    return values[counter.ordinal()];
  }

  Traffic plus(Traffic other) {
    Traffic sum = new Traffic();
    for (int i = 0; i < values.length; i++) {
      sum.values[i] = values[i] + other.values[i];
    }
    return sum;
  }

  /** What has been counted since an earlier state. */
  Traffic since(Traffic earlier) {
    Traffic difference = new Traffic();
    for (int i = 0; i < values.length; i++) {
      difference.values[i] = values[i] - earlier.values[i];
    }
    return difference;
  }
}
