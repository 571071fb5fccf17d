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

  /** Few enough names that they are put and removed often, among them many with equal hashes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAHashMap(long seed) {
    Random random = new Random(seed);
    List<String> names = names(random);
    Map<String, PreparedStatement> expected = new HashMap<>();
    int id = 0;
    for (int step = 0; step < 20_000; step++) {
      String name = names.get(random.nextInt(names.size()));
      PreparedStatement entry = expected.get(name);
      switch (random.nextInt(2)) {
        case 0 -> {
          if (entry == null) {
            PreparedStatement statement = new PreparedStatement(++id, new byte[0], 0);
            int sequence = statements.put(buffer, OFFSET, write(name), statement);
            if (random.nextBoolean()) {
              statements.prepared();
              expected.put(name, statement);
            } else {
              assertThat(statements.notPrepared(sequence)).isSameAs(statement);
            }
          }
        }
        default -> {
          int sequence = statements.close(buffer, OFFSET, write(name));
          assertThat(sequence > 0).isEqualTo(entry != null);
          assertThat(statements.find(buffer, OFFSET, write(name))).isNull();
          if (entry != null && random.nextBoolean()) {
            assertThat(statements.closed(sequence)).isSameAs(expected.remove(name));
          } else if (entry != null) {
            statements.notClosed(sequence);
          }
        }
      }
      assertThat(statements.size()).isEqualTo(expected.size());
      if (step % 100 == 0) {
        assertHolds(names, expected);
      }
    }
    assertHolds(names, expected);
  }

  /** Prepared in an earlier unit; then closed and prepared anew in one that fails. */
  @Test
  void whatAFailedUnitHasChangedIsUndone() {
    PreparedStatement first = new PreparedStatement(1, new byte[0], 0);
    PreparedStatement second = new PreparedStatement(2, new byte[0], 0);
    statements.put(buffer, OFFSET, write("s"), first);
    statements.prepared();
    statements.beginUnit();
    int close = statements.close(buffer, OFFSET, write("s"));
    int parse = statements.put(buffer, OFFSET, write("s"), second);
    int closeAgain = statements.close(buffer, OFFSET, write("s"));
    assertThat(statements.find(buffer, OFFSET, write("s"))).isNull();

    statements.notClosed(close);
    assertThat(statements.notPrepared(parse)).isSameAs(second);
    statements.notClosed(closeAgain);

    assertThat(statements.find(buffer, OFFSET, write("s"))).isSameAs(first);
    assertThat(statements.size()).isEqualTo(1);
  }

  @Test
  void aNameIsUnsettledForLaterUnitsUntilItsChangeHasEnded() {
    PreparedStatement statement = new PreparedStatement(1, new byte[0], 0);
    statements.beginUnit();
    statements.put(buffer, OFFSET, write("s"), statement);
    assertThat(statements.isUnsettled(buffer, OFFSET, write("s"))).isFalse();
    statements.beginUnit();
    assertThat(statements.isUnsettled(buffer, OFFSET, write("s"))).isTrue();
    assertThat(statements.isUnsettled(buffer, OFFSET, write("t"))).isFalse();
    statements.put(buffer, OFFSET, write("t"), statement);
    assertThat(statements.isUnsettled(buffer, OFFSET, write("t"))).isFalse();
    statements.prepared();
    assertThat(statements.isUnsettled(buffer, OFFSET, write("s"))).isFalse();
    statements.prepared();

    int close = statements.close(buffer, OFFSET, write("s"));
    statements.beginUnit();
    assertThat(statements.isUnsettled(buffer, OFFSET, write("s"))).isTrue();
    assertThat(statements.isUnsettled(buffer, OFFSET, write("t"))).isFalse();
    assertThat(statements.isEmpty()).isFalse();
    assertThat(statements.closed(close)).isSameAs(statement);
    assertThat(statements.isUnsettled(buffer, OFFSET, write("s"))).isFalse();
  }

  /** DISCARD ALL forgets what was prepared before it, not what is prepared behind it. */
  @Test
  void onlyWhatIsSettledIsForgottenWithTheServersStatements() {
    PreparedStatement old = new PreparedStatement(1, new byte[0], 0);
    PreparedStatement closing = new PreparedStatement(2, new byte[0], 0);
    PreparedStatement fresh = new PreparedStatement(3, new byte[0], 0);
    statements.put(buffer, OFFSET, write("old"), old);
    statements.put(buffer, OFFSET, write("closing"), closing);
    statements.prepared();
    statements.prepared();
    int close = statements.close(buffer, OFFSET, write("closing"));
    statements.put(buffer, OFFSET, write("fresh"), fresh);
    List<PreparedStatement> forgotten = new ArrayList<>();

    statements.clearSettled(forgotten::add);

    assertThat(forgotten).containsExactlyInAnyOrder(old, closing);
    assertThat(statements.find(buffer, OFFSET, write("fresh"))).isSameAs(fresh);
    assertThat(statements.closed(close)).isNull();
    assertThat(statements.size()).isEqualTo(1);
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
    assertThat(statements.put(buffer, OFFSET, write("s1"), put.get(0))).isPositive();
  }

  private void assertHolds(List<String> names, Map<String, PreparedStatement> expected) {
    for (String name : names) {
      assertThat(statements.find(buffer, OFFSET, write(name)))
          .as(name)
          .isSameAs(expected.get(name));
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
