package io.pgring.bench.trace;

import io.pgring.bench.pgbench.Mode;
import io.pgring.bench.pgbench.Protocol;
import picocli.CommandLine.Option;

/** What pgbench sends while a process is looked into, in the commands that look at one load. */
final class LoadOptions {
  @Option(
      names = "--proto",
      defaultValue = "simple",
      description = "simple, extended or prepared (default: ${DEFAULT-VALUE})")
  private Protocol protocol;

  @Option(
      names = "--mode",
      defaultValue = "S",
      description = "S (one SELECT) or tpcb (default: ${DEFAULT-VALUE})")
  private Mode mode;

  Protocol protocol() {
    return protocol;
  }

  Mode mode() {
    return mode;
  }
}
