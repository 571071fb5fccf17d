package io.pgring.demo.check;

import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/** Much data at once, in both directions. Any client's thread. */
final class TransferScenarios {
  private static final int COPY_ROWS = 500;
  private static final int BATCH_ROWS = 50;
  private static final int CURSOR_ROWS = 200;
  private static final int FETCH_ROWS = 37;
  private static final int LARGE_CHARACTERS = 1 << 20;

  private TransferScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario("COPY in", 1, TransferScenarios::copyIn),
        new Scenario("COPY in that fails", 1, TransferScenarios::copyInThatFails),
        new Scenario("COPY out", 1, TransferScenarios::copyOut),
        new Scenario("batches", 1, TransferScenarios::batch),
        new Scenario("batches that fail", 1, TransferScenarios::batchThatFails),
        new Scenario("cursors", 1, TransferScenarios::cursor),
        new Scenario("fetch size", 1, TransferScenarios::fetchSize),
        new Scenario("rows of 1 MB", 1, TransferScenarios::large));
  }

  private static void copyIn(Client client) throws Exception {
    long run = client.nextRun();
    long copied = copy(client).copyIn("COPY check_rows FROM STDIN", new StringReader(rows(run)));
    client.findings().committed("copied", COPY_ROWS);
    client.expect("rows copied", (long) COPY_ROWS, copied);
    client.expect("rows of the copy", COPY_ROWS, client.inserted(run).size());
  }

  private static void copyInThatFails(Client client) throws Exception {
    long run = client.nextRun();
    client.expectError(
        "22P02",
        "a wrong row",
        () ->
            copy(client)
                .copyIn(
                    "COPY check_rows FROM STDIN",
                    new StringReader(rows(run) + "wrong\tcopied\t1\tx\n" + rows(run))));
    CopyIn given = copy(client).copyIn("COPY check_rows FROM STDIN");
    byte[] bytes = rows(run).getBytes(StandardCharsets.UTF_8);
    given.writeToCopy(bytes, 0, bytes.length);
    given.cancelCopy();
    client.expect("rows of failed copies", List.of(), client.inserted(run));
  }

  private static void copyOut(Client client) throws Exception {
    StringWriter out = new StringWriter();
    copy(client)
        .copyOut(
            "COPY (SELECT n, repeat('x', 100) FROM generate_series(1, 2000) n) TO STDOUT", out);
    String expected =
        IntStream.rangeClosed(1, 2000)
            .mapToObj(n -> n + "\t" + "x".repeat(100) + "\n")
            .collect(Collectors.joining());
    client.expect("length copied", expected.length(), out.toString().length());
    client.expect("copied as expected", true, expected.contentEquals(out.getBuffer()));
  }

  private static void batch(Client client) throws Exception {
    long run = client.nextRun();
    client.connection().setAutoCommit(false);
    try (PreparedStatement insert = insertion(client, run, 1)) {
      int[] counts = insert.executeBatch();
      client.connection().commit();
      client.findings().committed("batch", BATCH_ROWS);
      client.expect("update counts", BATCH_ROWS, counts.length);
      client.expect("rows per statement", true, Arrays.stream(counts).allMatch(n -> n == 1));
    }
    client.expect("rows of the batch", BATCH_ROWS, client.inserted(run).size());
  }

  private static void batchThatFails(Client client) throws Exception {
    long run = client.nextRun();
    client.connection().setAutoCommit(false);
    try (PreparedStatement insert = insertion(client, run, 0)) {
      insert.executeBatch();
      throw new Findings.Mismatch("batch with a division by zero", "22012", "no error");
    } catch (BatchUpdateException e) {
      client.expect("batch with a division by zero", "22012", e.getSQLState());
    }
    client.connection().rollback();
    client.expect("rows of the failed batch", List.of(), client.inserted(run));
  }

  /** A batch whose middle row is divided by the divisor. */
  private static PreparedStatement insertion(Client client, long run, int divisor)
      throws Exception {
    PreparedStatement insert =
        client
            .connection()
            .prepareStatement("INSERT INTO check_rows VALUES (?, 'batch', ?::int / ?::int, 'x')");
    for (int n = 0; n < BATCH_ROWS; n++) {
      insert.setLong(1, run);
      insert.setInt(2, n);
      insert.setInt(3, n == BATCH_ROWS / 2 ? divisor : 1);
      insert.addBatch();
    }
    return insert;
  }

  private static void cursor(Client client) throws Exception {
    Connection connection = client.connection();
    connection.setAutoCommit(false);
    client.update("DECLARE numbers CURSOR FOR SELECT generate_series(1, " + CURSOR_ROWS + ")");
    List<String> fetched = new ArrayList<>();
    List<String> some = client.column("FETCH " + FETCH_ROWS + " FROM numbers");
    while (!some.isEmpty()) {
      fetched.addAll(some);
      some = client.column("FETCH " + FETCH_ROWS + " FROM numbers");
    }
    client.update("CLOSE numbers");
    connection.commit();
    client.expect("rows fetched", numbers(), fetched);
  }

  private static void fetchSize(Client client) throws Exception {
    Connection connection = client.connection();
    connection.setAutoCommit(false);
    List<String> fetched = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows =
          statement.executeQuery("SELECT generate_series(1, " + CURSOR_ROWS + ")")) {
        while (rows.next()) {
          fetched.add(rows.getString(1));
          // Another statement of the same transaction between two fetches.
          if (fetched.size() % FETCH_ROWS == 0) {
            client.scalar("SELECT 1");
          }
        }
      }
    }
    connection.commit();
    client.expect("rows fetched", numbers(), fetched);
  }

  private static void large(Client client) throws Exception {
    long run = client.nextRun();
    StringBuilder text = new StringBuilder(LARGE_CHARACTERS);
    while (text.length() < LARGE_CHARACTERS) {
      text.append(Long.toString(client.random().nextLong() >>> 1, Character.MAX_RADIX));
    }
    client.update("INSERT INTO check_rows VALUES (?, 'large', 1, ?)", run, text.toString());
    String read = client.scalar("SELECT payload FROM check_rows WHERE run = ?", run);
    client.expect("length of the row", text.length(), read.length());
    client.expect("row as written", true, read.contentEquals(text));
    client.expect("rows deleted", 1, client.update("DELETE FROM check_rows WHERE run = ?", run));
  }

  private static CopyManager copy(Client client) throws Exception {
    return client.connection().unwrap(PGConnection.class).getCopyAPI();
  }

  private static String rows(long run) {
    return IntStream.range(0, COPY_ROWS)
        .mapToObj(n -> run + "\tcopied\t" + n + "\tx\n")
        .collect(Collectors.joining());
  }

  private static List<String> numbers() {
    return IntStream.rangeClosed(1, CURSOR_ROWS).mapToObj(String::valueOf).toList();
  }
}
