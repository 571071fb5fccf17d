package io.pgring.bench.fuzz;

import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** What a real driver sends in both protocols, recorded on its way. Stateless. */
final class DriverTraffic {
  /** The table that the conversations work on; int and text. */
  static final String TABLE = "fuzzed";

  private static final int SMALL_FETCH = 2;

  private DriverTraffic() {}

  private interface Part {
    void run(Connection connection) throws SQLException, IOException;
  }

  /** Makes the conversations by talking to the endpoint; each part is one of its own. */
  static List<Conversation> record(Endpoint endpoint, Account account)
      throws SQLException, IOException {
    List<Part> parts =
        List.of(
            DriverTraffic::queries,
            DriverTraffic::transaction,
            DriverTraffic::batch,
            DriverTraffic::cursor,
            DriverTraffic::copy,
            DriverTraffic::cancel);
    List<Conversation> conversations = new ArrayList<>();
    for (String mode : List.of("simple", "extended", "extendedForPrepared")) {
      for (Part part : parts) {
        conversations.addAll(record(endpoint, account, mode, "disable", part));
      }
    }
    conversations.addAll(record(endpoint, account, "extended", "prefer", DriverTraffic::queries));
    return conversations;
  }

  private static List<Conversation> record(
      Endpoint endpoint, Account account, String queryMode, String encryption, Part part)
      throws SQLException, IOException {
    try (Recorder recorder = Recorder.before(endpoint)) {
      Properties properties = new Properties();
      properties.setProperty("user", account.user());
      properties.setProperty("password", account.password());
      properties.setProperty("preferQueryMode", queryMode);
      properties.setProperty("prepareThreshold", "1");
      properties.setProperty("sslmode", encryption);
      properties.setProperty("gssEncMode", "disable");
      String url = "jdbc:postgresql://127.0.0.1:" + recorder.port() + "/" + account.database();
      try (Connection connection = DriverManager.getConnection(url, properties)) {
        part.run(connection);
      }
      return recorder.conversations();
    }
  }

  private static void queries(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement prepared =
            connection.prepareStatement("select i, t from " + TABLE + " where i < ? or t = ?")) {
      statement.execute("select 1, null, 'two'");
      statement.execute("select 1; select 'second'; set local work_mem = '1MB'");
      statement.execute("do $$begin raise notice 'heard'; end$$");
      for (int i = 0; i < 3; i++) {
        prepared.setInt(1, i);
        prepared.setString(2, i == 1 ? null : "text " + i);
        prepared.execute();
      }
      expectError(statement, "select 1/0");
      expectError(statement, "selec");
      statement.execute("");
    }
  }

  private static void transaction(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("insert into " + TABLE + " values (1, 'one')");
      Savepoint savepoint = connection.setSavepoint();
      expectError(statement, "select no_such_column");
      connection.rollback(savepoint);
      statement.execute("update " + TABLE + " set t = 'changed' where i = 1");
      connection.rollback();
      expectError(statement, "select no_such_column");
      connection.rollback();
    }
  }

  private static void batch(Connection connection) throws SQLException {
    String insert = "insert into " + TABLE + " values (?, ?)";
    try (PreparedStatement prepared = connection.prepareStatement(insert);
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 5; i++) {
        prepared.setInt(1, i);
        prepared.setString(2, "batch " + i);
        prepared.addBatch();
      }
      prepared.executeBatch();
      statement.execute("delete from " + TABLE + " where t like 'batch%'");
    }
  }

  private static void cursor(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(SMALL_FETCH);
      try (ResultSet rows = statement.executeQuery("select generate_series(1, 5)")) {
        while (rows.next()) {
          rows.getInt(1);
        }
      }
    }
    connection.commit();
  }

  private static void copy(Connection connection) throws SQLException, IOException {
    CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
    copies.copyIn("copy " + TABLE + " from stdin", new StringReader("7\tseven\n8\teight\n"));
    copies.copyOut("copy " + TABLE + " to stdout", OutputStream.nullOutputStream());
    try (Statement statement = connection.createStatement()) {
      expectError(statement, "copy no_such_table from stdin");
      statement.execute("delete from " + TABLE);
    }
  }

  private static void cancel(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      expectError(statement, "select pg_sleep(1.2)");
    }
  }

  private static void expectError(Statement statement, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException expected) {
      return;
    }
  }
}
