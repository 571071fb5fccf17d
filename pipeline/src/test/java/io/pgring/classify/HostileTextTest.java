package io.pgring.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts of any bytes and any size: no exception, linear time, nothing allocated. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostileTextTest {
  private static final int MEGABYTE = 1 << 20;

  private final StatementClassifier classifier = new StatementClassifier();

  @ParameterizedTest
  @EnumSource(ClientEncoding.class)
  void readsEveryPrefixOfEveryText(ClientEncoding encoding) {
    for (String text : Corpus.texts()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int end = 0; end <= bytes.length; end++) {
        classify(bytes, end, true, encoding);
        classify(bytes, end, false, encoding);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ClientEncoding.class)
  void readsRandomBytes(ClientEncoding encoding) {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      classify(bytes, bytes.length, random.nextBoolean(), encoding);
    }
  }

  @Test
  void assumesEverythingOfAPrefixThatEndsInsideAString() {
    byte[] bytes = "insert into t values ('some text".getBytes(StandardCharsets.UTF_8);
    for (int end = 23; end <= bytes.length; end++) {
      classify(bytes, end, true, ClientEncoding.ASCII_SAFE);
      assertThat(classifier.flags() & Classification.ANYTHING).isEqualTo(Classification.ANYTHING);
      assertThat(classifier.unterminated()).isTrue();
    }
  }

  @Test
  void readsDeepNesting() {
    classify("select " + "(".repeat(10_000) + "1" + ")".repeat(10_000));
    assertThat(classifier.flags()).isEqualTo(Classification.READS);
    classify("(".repeat(10_000) + "select 1" + ")".repeat(10_000));
    assertThat(classifier.kind()).isEqualTo(StatementKind.SELECT);
    classify("select 1" + "/*".repeat(10_000) + "*/".repeat(10_000));
    assertThat(classifier.flags()).isEqualTo(Classification.READS);
  }

  @Test
  void readsALongList() {
    classify("select * from t where a in (1" + ",123456789".repeat(MEGABYTE / 10) + ")");
    assertThat(classifier.kind()).isEqualTo(StatementKind.SELECT);
    assertThat(classifier.flags()).isEqualTo(Classification.READS);
  }

  @Test
  void countsAHundredThousandStatements() {
    classify("select 1;".repeat(100_000));
    assertThat(classifier.statementCount()).isEqualTo(100_000);
    assertThat(Classification.statementCount(classifier.summary())).isEqualTo(0x7FFF);
  }

  /** Would take minutes if any of it were read twice for each time that it occurs. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "+-",
        "-+",
        "*-+",
        "$a",
        "$a$a",
        "/*",
        "/",
        "'a'\n",
        "'a' ",
        "'a' -- x\n",
        "\"\"",
        "E'\\'",
        "1.",
        "1_",
        "0x",
        "u&",
        "$1",
        "a.",
        "@+",
        "@-",
        "((",
        "))",
        ";",
        ":"
      })
  void takesLinearTime(String part) {
    classify("select " + part.repeat(MEGABYTE / part.length()));
  }

  @Test
  void allocatesNothing() {
    List<UnsafeBuffer> texts = new ArrayList<>();
    for (String text : Corpus.texts()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
      buffer.putBytes(0, bytes);
      texts.add(buffer);
    }
    assertThat(classifyAll(texts, 10_000)).isNotZero();
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    // What each text allocates shows in every round, what the JVM allocates once does not.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5 && least > 0; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      classifyAll(texts, 100_000);
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }
    assertThat(least).isZero();
  }

  private long classifyAll(List<UnsafeBuffer> texts, int times) {
    long sum = 0;
    for (int i = 0; i < times; i++) {
      UnsafeBuffer text = texts.get(i % texts.size());
      sum += classifier.classify(text, 0, text.capacity(), true, ClientEncoding.ASCII_SAFE);
    }
    return sum;
  }

  private void classify(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    classify(bytes, bytes.length, true, ClientEncoding.ASCII_SAFE);
  }

  /** The buffer ends with the text, so that a byte read behind it is an exception. */
  private void classify(
      byte[] bytes, int length, boolean standardConformingStrings, ClientEncoding encoding) {
    classifier.classify(
        new UnsafeBuffer(bytes, 0, length), 0, length, standardConformingStrings, encoding);
  }
}
