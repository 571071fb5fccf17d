package io.pgring.demo.check;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Runs the workload, verifies what it left, and prints a report. Used once, by the caller's thread.
 */
public final class Check {
  private static final int FAILURES_PRINTED = 20;
  private static final String LINE = "%-36s%10s%10s%10s%n";

  private static final String TABLE =
      """
      CREATE TABLE check_rows (run bigint, kind text, n int, payload text);
      CREATE INDEX ON check_rows (run);
      """;

  private final CheckTarget target;
  private final PrintWriter out;
  private final Findings findings = new Findings();

  /**
   * @param out gets the report
   */
  public Check(CheckTarget target, PrintWriter out) {
    this.target = target;
    this.out = out;
  }

  /**
   * Runs it all.
   *
   * @param seconds how long the workload lasts
   * @return whether everything was as it must be
   */
  public boolean run(int seconds) throws SQLException, InterruptedException {
    createTable();
    List<Scenario> scenarios = Scenario.all();
    out.printf(
        "running %d scenarios with %d clients over %d server connections for %d s%n",
        scenarios.size(), Workload.clients(), target.poolSize(), seconds);
    out.flush();
    new Workload(target, findings, scenarios).run(seconds);
    Verification verification = new Verification(target, findings);
    verification.run();
    print(scenarios, verification);
    return findings.failures().isEmpty();
  }

  /** The last line of the report. */
  public String summary() {
    List<String> failures = findings.failures();
    return failures.isEmpty() ? "check passed" : "check FAILED: " + failures.get(0);
  }

  private void createTable() throws SQLException {
    try (Connection connection = target.administration().open();
        Statement statement = connection.createStatement()) {
      statement.execute("SET ROLE " + target.name());
      statement.execute(TABLE);
    }
  }

  private void print(List<Scenario> scenarios, Verification verification) {
    out.println();
    out.printf(
        LINE,
        "passes",
        ClientMode.SIMPLE.title(),
        ClientMode.EXTENDED.title(),
        ClientMode.PREPARED.title());
    for (Scenario scenario : scenarios) {
      out.printf(
          LINE,
          scenario.title(),
          findings.passes(scenario.title(), ClientMode.SIMPLE),
          findings.passes(scenario.title(), ClientMode.EXTENDED),
          findings.passes(scenario.title(), ClientMode.PREPARED));
    }
    out.println();
    verification.results().forEach((what, found) -> out.printf("%-36s%s%n", what, found));
    out.println();
    List<String> failures = findings.failures();
    failures.stream().limit(FAILURES_PRINTED).forEach(failure -> out.println("FAILED " + failure));
    if (failures.size() > FAILURES_PRINTED) {
      out.println("and " + (failures.size() - FAILURES_PRINTED) + " more failures");
    }
    out.flush();
  }
}
