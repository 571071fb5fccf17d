package io.pgring.configfile;

import io.pgring.config.PgringConfig;
import java.util.List;

/**
 * What came of reading a configuration. Immutable.
 *
 * @param config null when there are errors
 * @param problems errors and warnings in the order of the file
 */
public record LoadedConfig(PgringConfig config, List<Problem> problems) {
  /** Whether the configuration can be used; there may be warnings all the same. */
  public boolean isUsable() {
    return config != null;
  }

  /** The problems that keep the configuration from being used. */
  public List<Problem> errors() {
    return problems.stream().filter(Problem::isError).toList();
  }

  /** The problems that the operator should know of. */
  public List<Problem> warnings() {
    return problems.stream().filter(problem -> !problem.isError()).toList();
  }
}
