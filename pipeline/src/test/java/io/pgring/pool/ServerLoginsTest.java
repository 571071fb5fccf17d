package io.pgring.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock may start anywhere, as {@code System.nanoTime()} does. */
@Timeout(10)
class ServerLoginsTest {
  private static final long MS = 1_000_000;

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000_000_000L, Long.MAX_VALUE - 10})
  void startsABurstAndThenSoManyASecond(long startNs) {
    ServerLogins logins = new ServerLogins(10, 100 * MS);

    assertThat(started(logins, startNs, 20)).isEqualTo(10);
    assertThat(started(logins, startNs + 99 * MS, 20)).isZero();
    assertThat(started(logins, startNs + 100 * MS, 20)).isEqualTo(1);
    assertThat(started(logins, startNs + 600 * MS, 20)).isEqualTo(5);
    assertThat(started(logins, startNs + 60_000 * MS, 20)).isEqualTo(10);
  }

  @Test
  void knowsNoPaceWithoutALimit() {
    assertThat(started(new ServerLogins(0, 100 * MS), 0, 1000)).isEqualTo(1000);
  }

  @Test
  void pausesLongerWithEachFailureUpToASecond() {
    ServerLogins logins = new ServerLogins(0, 100 * MS);
    long nowNs = -50 * MS;
    for (long pauseMs : new long[] {100, 200, 400, 800, 1000, 1000}) {
      logins.failed(nowNs, "28P01", "no");
      assertThat(logins.tryStart(nowNs + pauseMs * MS - 1)).as("before %s ms", pauseMs).isFalse();
      nowNs += pauseMs * MS;
      assertThat(logins.tryStart(nowNs)).as("after %s ms", pauseMs).isTrue();
    }
  }

  @Test
  void triesOneAtATimeWhileTheServerRefuses() {
    ServerLogins logins = new ServerLogins(0, 100 * MS);
    logins.failed(0, null, "Connection refused");

    assertThat(started(logins, 100 * MS, 5)).isEqualTo(1);
    assertThat(started(logins, 199 * MS, 5)).isZero();
    assertThat(started(logins, 200 * MS, 5)).isEqualTo(1);
  }

  @Test
  void forgetsFailuresWithASuccess() {
    ServerLogins logins = new ServerLogins(0, 100 * MS);
    logins.failed(0, "53300", "too many clients");
    assertThat(logins.lastFailure()).isEqualTo("too many clients");
    assertThat(logins.lastFailureState()).isEqualTo("53300");

    logins.succeeded();

    assertThat(logins.lastFailure()).isNull();
    assertThat(logins.lastFailureState()).isNull();
    assertThat(started(logins, 1, 100)).isEqualTo(100);
    logins.failed(1, null, "again");
    assertThat(logins.tryStart(1 + 100 * MS)).as("the first pause again").isTrue();
  }

  private static int started(ServerLogins logins, long nowNs, int attempts) {
    int started = 0;
    for (int i = 0; i < attempts; i++) {
      started += logins.tryStart(nowNs) ? 1 : 0;
    }
    return started;
  }
}
