package io.pgring.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables of pgbench at scale 1, made by the server itself. Stateless. */
final class SampleData {
  /** Rows of pgbench_accounts. */
  static final int ACCOUNTS = 100_000;

  private static final int TELLERS = 10;

  private static final String TABLES =
      """
      SET ROLE demo;
      CREATE TABLE pgbench_branches (bid int NOT NULL PRIMARY KEY, bbalance int, filler char(88));
      CREATE TABLE pgbench_tellers
        (tid int NOT NULL PRIMARY KEY, bid int, tbalance int, filler char(84));
      CREATE TABLE pgbench_accounts
        (aid int NOT NULL PRIMARY KEY, bid int, abalance int, filler char(84));
      CREATE TABLE pgbench_history
        (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
      """;

  private SampleData() {}

  /** Creates and fills the tables; they belong to the demo's role. */
  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
      statement.execute("INSERT INTO pgbench_branches VALUES (1, 0)");
      statement.execute(
          "INSERT INTO pgbench_tellers SELECT tid, 1, 0 FROM generate_series(1, "
              + TELLERS
              + ") tid");
      statement.execute(
          "INSERT INTO pgbench_accounts SELECT aid, 1, 0, '' FROM generate_series(1, "
              + ACCOUNTS
              + ") aid");
      statement.execute("RESET ROLE");
      statement.execute("VACUUM ANALYZE");
    }
  }
}
