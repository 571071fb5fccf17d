package io.pgring.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.bench.check.CheckOptions;
import io.pgring.bench.check.LongCheck;
import io.pgring.bench.fixture.StandOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class VerifyCommandTest {
  @Test
  void checksHaveDistinctNamesAndOneLineEach() {
    assertThat(LongChecks.all()).extracting(LongCheck::name).doesNotHaveDuplicates();
    assertThat(LongChecks.all())
        .allSatisfy(
            check -> {
              assertThat(LongChecks.named(check.name())).contains(check);
              assertThat(check.purpose()).isNotBlank().doesNotContain("\n");
            });
    assertThat(LongChecks.named("nothing of the kind")).isEmpty();
  }

  @Test
  void readsTheOptionsOfACheck() {
    CheckOptions usual = CheckOptions.parse();
    assertThat(usual.clientsOr(7)).isEqualTo(7);
    assertThat(usual.peer()).isFalse();
    CheckOptions given = CheckOptions.parse("--clients", "3", "--peer", "--auth", "trust");
    assertThat(given.clientsOr(7)).isEqualTo(3);
    assertThat(given.peer()).isTrue();
    assertThat(given.stand()).isInstanceOf(StandOptions.class);
  }
}
