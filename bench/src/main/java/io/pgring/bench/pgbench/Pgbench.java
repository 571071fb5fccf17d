package io.pgring.bench.pgbench;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.process.Daemon;
import io.pgring.bench.process.Output;
import io.pgring.bench.process.Programs;
import io.pgring.bench.process.Workbench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts pgbench and collects its figures. Lives as long as its workbench; main thread only. */
public final class Pgbench {
  /** Beyond the time that a run measures: connecting, and the last transactions. */
  private static final int GRACE_SECONDS = 60;

  private static final int COUNTED_LIMIT_SECONDS = 600;

  private final Workbench workbench;
  private final Path program = Programs.postgresql("pgbench");
  private final Account account;
  private int runs;

  /**
   * @param workbench where pgbench runs
   * @param account as whom
   */
  public Pgbench(Workbench workbench, Account account) {
    this.workbench = workbench;
    this.account = account;
  }

  /**
   * A run under way.
   *
   * @param process the program
   * @param directory where it logs
   * @param logPrefix how the names of its logs begin
   * @param limitSeconds how long it may take
   */
  public record Run(Daemon process, Path directory, String logPrefix, int limitSeconds) {
    /**
     * @return the run's exit status and text, whether it went well or not
     */
    public Output await() {
      return process.await(limitSeconds);
    }

    /**
     * @return the transactions it logged; call once, after {@link #await}
     */
    public LatencyLog log() {
      return LatencyLog.take(directory, logPrefix);
    }
  }

  /**
   * What one run measured.
   *
   * @param output its closing figures
   * @param log its logged transactions
   */
  public record Figures(PgbenchOutput output, LatencyLog log) {}

  /**
   * Creates pgbench's tables anew.
   *
   * @param endpoint where, the server itself
   * @param scale its scale factor; 100,000 accounts each
   */
  public void initialize(Endpoint endpoint, int scale) {
    List<String> command = base(endpoint);
    command.addAll(List.of("-i", "-q", "-s", Integer.toString(scale), account.database()));
    workbench.run(command, account.environment(), COUNTED_LIMIT_SECONDS).orFail();
  }

  /**
   * Starts a run and returns at once.
   *
   * @param endpoint where
   * @param workload what
   * @return the run
   */
  public Run start(Endpoint endpoint, Workload workload) {
    String prefix = "pgbench-log-" + runs++;
    int limit =
        workload.seconds() == 0 ? COUNTED_LIMIT_SECONDS : workload.seconds() + GRACE_SECONDS;
    Daemon process =
        workbench.start("pgbench", command(endpoint, workload, prefix), account.environment());
    return new Run(process, workbench.directory(), prefix, limit);
  }

  /**
   * Runs to the end.
   *
   * @param endpoint where
   * @param workload what
   * @return its figures
   * @throws BenchFailure when a transaction or a connection failed
   */
  public Figures run(Endpoint endpoint, Workload workload) {
    Run run = start(endpoint, workload);
    try {
      Output output = run.await();
      if (output.exitStatus() != 0) {
        throw new BenchFailure(
            "pgbench failed against " + endpoint.name() + ":\n" + Output.tail(output.text()));
      }
      return new Figures(PgbenchOutput.parse(output.text()), run.log());
    } finally {
      workbench.release(run.process());
    }
  }

  /**
   * @param endpoint where
   * @param workload what
   * @param logPrefix how the names of its logs begin
   * @return the command line; it holds no password
   */
  List<String> command(Endpoint endpoint, Workload workload, String logPrefix) {
    List<String> command = base(endpoint);
    command.addAll(List.of("-n", "-M", workload.protocol().label()));
    command.addAll(List.of("-c", Integer.toString(workload.clients())));
    command.addAll(
        List.of("-j", Integer.toString(Math.min(workload.clients(), workload.threads()))));
    command.addAll(
        workload.seconds() == 0
            ? List.of("-t", Integer.toString(workload.transactions()))
            : List.of("-T", Integer.toString(workload.seconds())));
    if (workload.sampling() > 0) {
      command.addAll(List.of("-l", "--log-prefix", logPrefix));
    }
    if (workload.sampling() > 0 && workload.sampling() < 1) {
      command.addAll(List.of("--sampling-rate", Double.toString(workload.sampling())));
    }
    if (workload.reconnect()) {
      command.add("-C");
    }
    command.addAll(workload.mode().options());
    command.add(account.database());
    return command;
  }

  private List<String> base(Endpoint endpoint) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of("-h", endpoint.host(), "-p", Integer.toString(endpoint.port())));
    command.addAll(List.of("-U", account.user()));
    return command;
  }
}
