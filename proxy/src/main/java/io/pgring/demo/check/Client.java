package io.pgring.demo.check;

import io.pgring.demo.check.Findings.Mismatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.postgresql.Driver;

/**
 * One client of the check: a connection through the proxy in one mode, and short ways to run
 * statements and to expect results. Used by its own thread. What it draws by lot depends on its
 * number only.
 */
final class Client implements AutoCloseable {
  private static final long RUNS_PER_CLIENT = 1_000_000_000L;

  private final CheckTarget target;
  private final ClientMode mode;
  private final int number;
  private final Findings findings;
  private final Random random;
  private Connection connection;
  private long runs;
  private volatile String scenario = "login";

  Client(CheckTarget target, ClientMode mode, int number, Findings findings) {
    this.target = target;
    this.mode = mode;
    this.number = number;
    this.findings = findings;
    this.random = new Random(number);
  }

  /** Statements that may fail. */
  interface Action {
    void run() throws Exception;
  }

  /** Runs a scenario; a failure is noted and ends the connection. */
  void run(Scenario next) {
    scenario = next.title();
    try {
      if (connection == null) {
        connection = connect();
      }
      next.body().run(this);
      connection.setAutoCommit(true);
      findings.passed(next.title(), mode);
    } catch (Exception e) {
      findings.failed(toString(), e);
      drop();
    }
  }

  /** One more connection of this client's kind. */
  Connection connect() throws SQLException {
    return new Driver()
        .connect(
            "jdbc:postgresql://127.0.0.1:" + target.port() + "/" + target.name(),
            mode.properties(target.name()));
  }

  Connection connection() {
    return connection;
  }

  ClientMode mode() {
    return mode;
  }

  Random random() {
    return random;
  }

  Findings findings() {
    return findings;
  }

  /** A number that marks the rows of one run of a scenario. */
  long nextRun() {
    return number * RUNS_PER_CLIENT + runs++;
  }

  int update(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  /** The first column of all rows, as text. */
  List<String> column(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /** The first column of the only row, as text. */
  String scalar(String sql, Object... parameters) throws SQLException, Mismatch {
    List<String> values = column(sql, parameters);
    expect("number of rows", 1, values.size());
    return values.get(0);
  }

  /** Inserts one row that the check counts. */
  void insert(String kind, long run, int n) throws SQLException, Mismatch {
    int inserted = update("INSERT INTO check_rows VALUES (?, ?, ?, 'x')", run, kind, n);
    expect("rows inserted", 1, inserted);
  }

  /** The numbers of a run's rows, in order. */
  List<String> inserted(long run) throws SQLException {
    return column("SELECT n FROM check_rows WHERE run = ? ORDER BY n", run);
  }

  /** Fails unless both are equal. */
  void expect(String what, Object expected, Object actual) throws Mismatch {
    if (!Objects.equals(expected, actual)) {
      throw new Mismatch(what, expected, actual);
    }
  }

  /** Fails unless the action fails with this SQLSTATE. */
  void expectError(String sqlState, String what, Action action) throws Exception {
    try {
      action.run();
    } catch (SQLException e) {
      if (!sqlState.equals(e.getSQLState())) {
        throw new Mismatch(what, sqlState, e.getSQLState() + " (" + e.getMessage() + ")");
      }
      return;
    }
    throw new Mismatch(what, sqlState, "no error");
  }

  /** Number, mode and what it is at. */
  @Override
  public String toString() {
    return "client " + number + " (" + mode.title() + "), " + scenario;
  }

  @Override
  public void close() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      findings.failed("client " + number + " (" + mode.title() + "), logout", e);
    }
  }

  /** Ends the connection as it stands, from any state. */
  private void drop() {
    try {
      if (connection != null) {
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      findings.failed(toString(), e);
    }
    connection = null;
  }

  private PreparedStatement prepare(String sql, Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
