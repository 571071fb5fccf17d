package io.pgring.jmh;

import io.pgring.classify.ClientEncoding;
import io.pgring.classify.StatementClassifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Classifies what pgbench sends and a text of two kilobytes as an ORM writes it. The reference loop
 * looks every byte up in a table and does nothing else: what any lexer costs at least.
 */
public class ClassifierBenchmark extends HotPathBenchmark {
  private static final String PGBENCH =
      "SELECT abalance FROM pgbench_accounts WHERE aid = 1234567;";

  /** Which text. */
  @Param({"pgbench", "orm"})
  public String text;

  private final StatementClassifier classifier = new StatementClassifier();
  private final byte[] table = new byte[256];
  private UnsafeBuffer buffer;

  /** Copies the text off the heap, where the lane has it. */
  @Setup
  public void setUp() {
    byte[] bytes = (text.equals("pgbench") ? PGBENCH : orm()).getBytes(StandardCharsets.UTF_8);
    buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
    buffer.putBytes(0, bytes);
    for (int i = 0; i < table.length; i++) {
      table[i] = (byte) (i * 31);
    }
  }

  private static String orm() {
    StringBuilder sql = new StringBuilder("select ");
    for (int i = 0; sql.length() < 1_600; i++) {
      sql.append("customer0_.\"column_")
          .append(i)
          .append("\" as column_")
          .append(i)
          .append("_0_0_, ");
    }
    return sql.append("1 from public.customer customer0_ left outer join public.orders orders1_ ")
        .append("on customer0_.id=orders1_.customer_id where customer0_.name like 'Smith%' ")
        .append("and (orders1_.total>=$1 or orders1_.total is null) /* page 2 */ ")
        .append("order by customer0_.id asc limit 50 offset 50")
        .toString();
  }

  /** The classifier. */
  @Benchmark
  public long classify() {
    return classifier.classify(buffer, 0, buffer.capacity(), true, ClientEncoding.ASCII_SAFE);
  }

  /** The least that a lexer does. */
  @Benchmark
  public int lookUpEveryByte() {
    int sum = 0;
    for (int i = 0; i < buffer.capacity(); i++) {
      sum += table[buffer.getByte(i) & 0xFF];
    }
    return sum;
  }
}
