package io.pgring.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.session.PreparedStatement;
import io.pgring.session.StatementStore;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ServerStatementsTest {
  private final StatementStore store = new StatementStore();
  private final ServerStatements held = new ServerStatements();
  private final PreparedStatement a = statement("select 'a'");
  private final PreparedStatement b = statement("select 'b'");
  private final PreparedStatement c = statement("select 'c'");

  @Test
  void aParseUnderWayIsOfUseInItsOwnUnitOnly() {
    assertThat(held.isUsable(a, 1)).isFalse();

    assertThat(held.sent(a, 1)).isTrue();

    assertThat(held.isUsable(a, 1)).isTrue();
    assertThat(held.isUsable(a, 2)).isFalse();
    held.confirmed(a.id());
    assertThat(held.isUsable(a, 2)).isTrue();
    assertThat(held.size()).isEqualTo(1);
  }

  @Test
  void aRefusedParseLeavesNothing() {
    held.sent(a, 1);

    assertThat(held.refused(a.id())).isSameAs(a);

    assertThat(held.isUsable(a, 1)).isFalse();
    assertThat(held.size()).isZero();
    assertThat(held.refused(a.id())).isNull();
    held.confirmed(a.id());
    assertThat(held.size()).isZero();
  }

  @Test
  void staysWhileOneOfTwoParsesMayStillSucceed() {
    held.sent(a, 1);
    assertThat(held.sent(a, 2)).as("not new").isFalse();

    assertThat(held.refused(a.id())).isNull();
    assertThat(held.isUsable(a, 3)).isFalse();
    held.confirmed(a.id());

    assertThat(held.isUsable(a, 3)).isTrue();
  }

  @Test
  void evictsWhatWasUsedLeastRecently() {
    confirmed(a);
    confirmed(b);
    confirmed(c);
    held.isUsable(a, 9);

    assertThat(held.evict()).isSameAs(b);
    assertThat(held.evict()).isSameAs(c);
    assertThat(held.evict()).isSameAs(a);
    assertThat(held.evict()).isNull();
  }

  @Test
  void doesNotEvictWhatIsUnderWay() {
    held.sent(a, 1);
    confirmed(b);

    assertThat(held.evict()).isSameAs(b);
    assertThat(held.evict()).isNull();

    held.confirmed(a.id());
    assertThat(held.evict()).isSameAs(a);
  }

  @Test
  void canBeEmptied() {
    held.sent(a, 1);
    confirmed(b);

    assertThat(held.removeAny()).isIn(a, b);
    assertThat(held.removeAny()).isIn(a, b);
    assertThat(held.removeAny()).isNull();
    assertThat(held.size()).isZero();
    assertThat(held.isUsable(b, 1)).isFalse();
  }

  private void confirmed(PreparedStatement statement) {
    held.sent(statement, 1);
    held.confirmed(statement.id());
  }

  private PreparedStatement statement(String sql) {
    byte[] content = (sql + "\0\0\0").getBytes(StandardCharsets.US_ASCII);
    return store.acquire(new UnsafeBuffer(content), 0, content.length, 0);
  }

  /**
   * A Parse that is sent again has a Close ahead of it, so the earlier one is not there any more.
   */
  @Test
  void isNotOfUseWhileItIsSentAgain() {
    held.sent(a, 1);
    held.sent(a, 2);
    held.confirmed(a.id());

    assertThat(held.isUsable(a, 3)).isFalse();
    assertThat(held.refused(a.id())).isSameAs(a);
    assertThat(held.isUsable(a, 4)).isFalse();
  }
}
