package io.pgring.jmh;

import io.pgring.classify.ClientEncoding;
import io.pgring.classify.StatementClassifier;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The classification of one text, which every Query and Parse pays once. */
public class ClassifyBenchmark extends HotPathBenchmark {
  private static final String SELECT = "SELECT abalance FROM pgbench_accounts WHERE aid = 4711;";
  private static final String TPCB =
      "BEGIN; UPDATE pgbench_accounts SET abalance = abalance + -42 WHERE aid = 4711; END;";

  /** Names of the texts, so that results stay readable. */
  @Param({"select", "transaction", "literal-4k"})
  private String text;

  private final StatementClassifier classifier = new StatementClassifier();
  private DirectBuffer buffer;

  /** Puts the text where the hot path has it: outside of the heap's strings. */
  @Setup
  public void fill() {
    String sql =
        switch (text) {
          case "select" -> SELECT;
          case "transaction" -> TPCB;
          default -> "INSERT INTO t (note) VALUES ('" + "x".repeat(4_096) + "')";
        };
    buffer = new UnsafeBuffer(sql.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @return the summary, so that the work is not optimized away
   */
  @Benchmark
  public long classify() {
    return classifier.classify(buffer, 0, buffer.capacity(), true, ClientEncoding.ASCII_SAFE);
  }
}
