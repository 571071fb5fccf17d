package io.pgring.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StatementStoreTest {
  private final StatementStore store = new StatementStore();

  @Test
  void oneObjectForOneContent() {
    PreparedStatement first = acquire("select 1\0\0\0");
    PreparedStatement second = acquire("select 1\0\0\0");
    PreparedStatement otherTypes = acquire("select 1\0\0\1\0\0\0\u0017");

    assertThat(second).isSameAs(first);
    assertThat(otherTypes).isNotSameAs(first);
    assertThat(store.size()).isEqualTo(2);
    assertThat(new String(first.sqlAndTypes(), StandardCharsets.US_ASCII))
        .isEqualTo("select 1\0\0\0");
    assertThat(new String(first.serverName(), StandardCharsets.US_ASCII))
        .isEqualTo("pgring_" + first.id());
  }

  @Test
  void theLastReferenceRemovesIt() {
    PreparedStatement statement = acquire("select 1\0\0\0");
    acquire("select 1\0\0\0");
    store.retain(statement);

    store.release(statement);
    store.release(statement);
    assertThat(store.size()).isEqualTo(1);
    assertThat(acquire("select 1\0\0\0")).isSameAs(statement);
    store.release(statement);
    store.release(statement);

    assertThat(store.size()).isZero();
    assertThat(acquire("select 1\0\0\0").id())
        .as("names are never used again")
        .isNotEqualTo(statement.id());
  }

  /**
   * "Aa" and "BB" have equal hashes, so the 1,024 texts of ten such pairs all fall into one chain.
   */
  @Test
  void textsWithEqualHashesAreDifferentStatements() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      StringBuilder text = new StringBuilder("select '");
      for (int bit = 0; bit < 10; bit++) {
        text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      texts.add(text.append("'\0\0\0").toString());
    }
    Set<Integer> hashes = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    List<PreparedStatement> statements = new ArrayList<>();
    for (String text : texts) {
      hashes.add(Arrays.hashCode(text.getBytes(StandardCharsets.US_ASCII)));
      PreparedStatement statement = acquire(text);
      statements.add(statement);
      ids.add(statement.id());
    }
    assertThat(hashes).hasSize(1);
    assertThat(ids).hasSize(1024);

    Random random = new Random(11);
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      if (random.nextBoolean()) {
        store.release(statements.get(i));
      } else {
        kept.add(i);
      }
    }
    assertThat(store.size()).isEqualTo(kept.size());
    for (int i : kept) {
      assertThat(acquire(texts.get(i))).isSameAs(statements.get(i));
    }
  }

  private PreparedStatement acquire(String content) {
    byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[bytes.length + 9]);
    buffer.putBytes(5, bytes);
    return store.acquire(buffer, 5, bytes.length, 0);
  }
}
