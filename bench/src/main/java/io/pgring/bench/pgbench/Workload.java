package io.pgring.bench.pgbench;

/**
 * What pgbench does, apart from where. Immutable.
 *
 * @param mode the transaction
 * @param protocol how queries are sent
 * @param clients connections held at once
 * @param threads threads of pgbench, at most one a client
 * @param seconds how long; 0 when the number of transactions decides
 * @param transactions per client; 0 when the time decides
 * @param sampling which part of the transactions is logged with its latency, 0 to 1
 * @param reconnect whether each transaction opens a connection of its own
 */
public record Workload(
    Mode mode,
    Protocol protocol,
    int clients,
    int threads,
    int seconds,
    int transactions,
    double sampling,
    boolean reconnect) {

  /**
   * @param mode the transaction
   * @param protocol how queries are sent
   * @param clients connections held at once
   * @param seconds how long
   * @return that workload on one thread of pgbench, with one transaction of five logged
   */
  public static Workload timed(Mode mode, Protocol protocol, int clients, int seconds) {
    return new Workload(mode, protocol, clients, 1, seconds, 0, 0.2, false);
  }

  /**
   * @param threads threads of pgbench
   * @return the same workload on that many
   */
  public Workload withThreads(int threads) {
    return new Workload(
        mode, protocol, clients, threads, seconds, transactions, sampling, reconnect);
  }

  /**
   * @param transactions per client
   * @return the same workload, ended by their number
   */
  public Workload counted(int transactions) {
    return new Workload(mode, protocol, clients, threads, 0, transactions, sampling, reconnect);
  }

  /**
   * @param sampling which part of the transactions is logged, 0 to 1
   * @return the same workload with that part logged
   */
  public Workload logging(double sampling) {
    return new Workload(
        mode, protocol, clients, threads, seconds, transactions, sampling, reconnect);
  }

  /**
   * @return the same workload with a connection for each transaction
   */
  public Workload reconnecting() {
    return new Workload(mode, protocol, clients, threads, seconds, transactions, sampling, true);
  }
}
