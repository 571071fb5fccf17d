package io.pgring.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PermitsTest {
  @Test
  void givesAsManyAsItsLimit() {
    Permits permits = new Permits(2);

    assertThat(permits.tryAcquire()).isTrue();
    assertThat(permits.tryAcquire()).isTrue();
    assertThat(permits.tryAcquire()).isFalse();
    assertThat(permits.used()).isEqualTo(2);

    permits.release();
    assertThat(permits.tryAcquire()).isTrue();
  }

  @Test
  void countsWithoutALimit() {
    Permits permits = new Permits(0);
    for (int i = 0; i < 1000; i++) {
      assertThat(permits.tryAcquire()).isTrue();
    }
    assertThat(permits.used()).isEqualTo(1000);
  }

  @Test
  void givesItsReserveToThoseWhoMayHaveIt() {
    Permits permits = new Permits(1);
    permits.tryAcquire();

    assertThat(permits.tryAcquire(0)).isFalse();
    assertThat(permits.tryAcquire(2)).isTrue();
    assertThat(permits.tryAcquire(2)).isTrue();
    assertThat(permits.tryAcquire(2)).isFalse();
  }

  @Test
  void keepsWhatIsAboveALoweredLimitUntilItIsReturned() {
    Permits permits = new Permits(3);
    permits.tryAcquire();
    permits.tryAcquire();
    permits.tryAcquire();

    permits.limit(1);
    assertThat(permits.used()).isEqualTo(3);
    permits.release();
    permits.release();
    assertThat(permits.tryAcquire()).isFalse();
    permits.release();
    assertThat(permits.tryAcquire()).isTrue();
  }
}
