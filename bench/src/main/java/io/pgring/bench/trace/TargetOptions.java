package io.pgring.bench.trace;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.fixture.StandOptions;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.process.Workbench;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which process to look into: one that runs already, or a pgring started for it. */
final class TargetOptions {
  @Option(
      names = "--endpoint",
      paramLabel = "NAME=HOST:PORT:PID",
      description = "a proxy that runs already (default: start PostgreSQL and pgring)")
  private String endpoint;

  @Option(
      names = "--warmup",
      defaultValue = "15",
      description = "seconds of load before anything counts (default: ${DEFAULT-VALUE})")
  private int warmupSeconds;

  @Mixin private StandOptions stand;

  int warmupSeconds() {
    return warmupSeconds;
  }

  /** Starts what has to be started. */
  Target open(Workbench workbench, List<String> jvmFlags) {
    if (endpoint == null) {
      Stand started = Stand.start(workbench, stand);
      return new Target(started.pgring(jvmFlags).endpoint(), started.account());
    }
    Endpoint given = Endpoint.parse(endpoint);
    if (given.pids().size() != 1) {
      throw new BenchFailure("--endpoint needs one process: NAME=HOST:PORT:PID");
    }
    return new Target(given, stand.foreignAccount());
  }
}
