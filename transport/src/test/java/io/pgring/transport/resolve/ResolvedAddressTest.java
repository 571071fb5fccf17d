package io.pgring.transport.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.transport.Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ResolvedAddressTest {
  private static final SocketAddress A = new InetSocketAddress("192.0.2.1", 5432);
  private static final SocketAddress B = new InetSocketAddress("192.0.2.2", 5432);
  private static final SocketAddress C = new InetSocketAddress("192.0.2.3", 5432);

  private final ResolvedAddress name =
      new ResolvedAddress(Address.parse("db:5432"), List.of(A, B, C), 0);

  @Test
  void staysWithAnAddressThatWorks() {
    assertThat(name.pick()).isEqualTo(A);
    assertThat(name.pick()).isEqualTo(A);
  }

  @Test
  void goesRoundAfterFailures() {
    name.failed(A);
    assertThat(name.pick()).isEqualTo(B);
    name.failed(B);
    assertThat(name.pick()).isEqualTo(C);
    name.failed(C);
    assertThat(name.pick()).isEqualTo(A);
  }

  @Test
  void countsAFailureThatManyHaveSeenOnce() {
    name.failed(A);
    name.failed(A);
    name.failed(C);

    assertThat(name.pick()).isEqualTo(B);
  }

  @Test
  void staysWithThePreferredAddressWhenOthersChange() {
    name.failed(A);

    assertThat(name.update(List.of(C, B))).isTrue();
    assertThat(name.pick()).isEqualTo(B);
    assertThat(name.update(List.of(C, A))).isTrue();
    assertThat(name.pick()).isEqualTo(C);
  }

  @Test
  void theOrderOfAddressesIsNoChange() {
    assertThat(name.update(List.of(B, C, A))).isFalse();
    assertThat(name.current()).containsExactly(A, B, C);
  }

  @Test
  void hasNothingToOfferBeforeTheFirstAnswer() {
    ResolvedAddress unknown = new ResolvedAddress(Address.parse("db:5432"), List.of(), 0);
    unknown.failed(A);

    assertThat(unknown.pick()).isNull();
    assertThat(unknown.current()).isEmpty();
  }
}
