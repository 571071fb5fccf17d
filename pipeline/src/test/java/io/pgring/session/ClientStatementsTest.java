package io.pgring.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ClientStatementsTest {
  private static final int OFFSET = 3;

  private final ClientStatements statements = new ClientStatements();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

  private record Entry(PreparedStatement statement, int sequence) {}

  /** Few enough names that they are put and removed often, among them many with equal hashes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAHashMap(long seed) {
    Random random = new Random(seed);
    List<String> names = names(random);
    Map<String, Entry> expected = new HashMap<>();
    int id = 0;
    for (int step = 0; step < 20_000; step++) {
      String name = names.get(random.nextInt(names.size()));
      Entry entry = expected.get(name);
      switch (random.nextInt(3)) {
        case 0 -> {
          if (entry == null) {
            PreparedStatement statement = new PreparedStatement(++id, new byte[0], 0);
            int sequence = statements.put(buffer, OFFSET, write(name), statement);
            expected.put(name, new Entry(statement, sequence));
          }
        }
        case 1 ->
            assertThat(statements.remove(buffer, OFFSET, write(name)))
                .isSameAs(entry == null ? null : expected.remove(name).statement());
        default -> {
          int sequence = entry == null ? Integer.MAX_VALUE : entry.sequence();
          assertThat(statements.removeBySequence(sequence))
              .isSameAs(entry == null ? null : expected.remove(name).statement());
        }
      }
      assertThat(statements.size()).isEqualTo(expected.size());
      if (step % 100 == 0) {
        assertHolds(names, expected);
      }
    }
    assertHolds(names, expected);
  }

  @Test
  void aSequenceNamesOneEntryEvenIfItsNameIsUsedAgain() {
    PreparedStatement first = new PreparedStatement(1, new byte[0], 0);
    PreparedStatement second = new PreparedStatement(2, new byte[0], 0);
    int sequence = statements.put(buffer, OFFSET, write("s"), first);
    statements.remove(buffer, OFFSET, write("s"));
    int next = statements.put(buffer, OFFSET, write("s"), second);

    assertThat(next).isPositive().isNotEqualTo(sequence);
    assertThat(statements.removeBySequence(sequence)).isNull();
    assertThat(statements.find(buffer, OFFSET, write("s"))).isSameAs(second);
  }

  @Test
  void passesOnAllThatItForgets() {
    List<PreparedStatement> put = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      PreparedStatement statement = new PreparedStatement(i, new byte[0], 0);
      put.add(statement);
      statements.put(buffer, OFFSET, write("s" + i), statement);
    }
    List<PreparedStatement> forgotten = new ArrayList<>();

    statements.clear(forgotten::add);

    assertThat(forgotten).containsExactlyInAnyOrderElementsOf(put);
    assertThat(statements.size()).isZero();
    assertThat(statements.find(buffer, OFFSET, write("s1"))).isNull();
    assertThat(statements.removeBySequence(1)).isNull();
    assertThat(statements.put(buffer, OFFSET, write("s1"), put.get(0))).isPositive();
  }

  private void assertHolds(List<String> names, Map<String, Entry> expected) {
    for (String name : names) {
      Entry entry = expected.get(name);
      assertThat(statements.find(buffer, OFFSET, write(name)))
          .as(name)
          .isSameAs(entry == null ? null : entry.statement());
    }
  }

  private static List<String> names(Random random) {
    List<String> names = new ArrayList<>();
    // "Aa" and "BB" have the same hash, and so has every word made of them.
    for (int i = 0; i < 64; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 6; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      names.add(name.toString());
    }
    for (int i = 0; i < 64; i++) {
      names.add("S_" + random.nextInt(1_000_000) + "_" + i);
    }
    names.add("\u00e9\u00e4");
    return names;
  }

  private int write(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    buffer.putBytes(OFFSET, bytes);
    return bytes.length;
  }
}
