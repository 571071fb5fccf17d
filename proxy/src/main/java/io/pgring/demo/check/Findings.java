package io.pgring.demo.check;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the clients of one check have done and what went wrong: how often each scenario passed, what
 * was committed, and failures. Shared by all clients.
 */
final class Findings {
  private final Map<String, LongAdder> passes = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> committedRows = new ConcurrentHashMap<>();
  private final LongAdder transactions = new LongAdder();
  private final LongAdder deltaSum = new LongAdder();
  private final LongAdder repeatedCancels = new LongAdder();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  /** Something is not as it must be. */
  static final class Mismatch extends Exception {
    Mismatch(String what, Object expected, Object actual) {
      super(what + ": expected " + expected + ", got " + actual);
    }
  }

  void passed(String scenario, ClientMode mode) {
    passes.computeIfAbsent(key(scenario, mode), name -> new LongAdder()).increment();
  }

  long passes(String scenario, ClientMode mode) {
    LongAdder count = passes.get(key(scenario, mode));
    return count == null ? 0 : count.sum();
  }

  /** Rows of check_rows that a client has committed. */
  void committed(String kind, int rows) {
    committedRows.computeIfAbsent(kind, name -> new LongAdder()).add(rows);
  }

  /** Committed rows of check_rows by kind. */
  Map<String, Long> committedRows() {
    Map<String, Long> rows = new TreeMap<>();
    committedRows.forEach((kind, count) -> rows.put(kind, count.sum()));
    return rows;
  }

  /** One transaction of pgbench's kind that a client has committed. */
  void committedDelta(int delta) {
    transactions.increment();
    deltaSum.add(delta);
  }

  long transactions() {
    return transactions.sum();
  }

  long deltaSum() {
    return deltaSum.sum();
  }

  /** A cancel had no effect and was sent again. */
  void cancelledAgain() {
    repeatedCancels.increment();
  }

  long repeatedCancels() {
    return repeatedCancels.sum();
  }

  void failed(String where, Exception failure) {
    failures.add(where + ": " + describe(failure));
  }

  void failed(String what) {
    failures.add(what);
  }

  /** All failures so far, in their order. */
  List<String> failures() {
    return failures;
  }

  private static String describe(Exception failure) {
    if (failure instanceof Mismatch) {
      return failure.getMessage();
    }
    String text = "unexpected " + failure.getClass().getSimpleName();
    if (failure instanceof SQLException sql) {
      text += " " + sql.getSQLState();
    }
    text += ": " + failure.getMessage();
    return failure.getCause() == null ? text : text + " (" + failure.getCause() + ")";
  }

  private static String key(String scenario, ClientMode mode) {
    return scenario + "/" + mode;
  }
}
