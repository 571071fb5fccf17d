package io.pgring.bench.pgbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.bench.BenchFailure;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class EndpointTest {
  @ParameterizedTest
  @MethodSource("endpoints")
  void parses(String text, Endpoint expected) {
    assertThat(Endpoint.parse(text)).isEqualTo(expected);
  }

  static Stream<Arguments> endpoints() {
    return Stream.of(
        Arguments.of("direct=db.example:5432", endpoint("direct", "db.example", 5432)),
        Arguments.of("a=127.0.0.1:6432:12,34", endpoint("a", "127.0.0.1", 6432, 12L, 34L)),
        Arguments.of("sock=/tmp/a=b:6432:7", endpoint("sock", "/tmp/a=b", 6432, 7L)),
        Arguments.of("six=[::1]:6432:7", endpoint("six", "::1", 6432, 7L)),
        Arguments.of("six=[::1]:6432", endpoint("six", "::1", 6432)));
  }

  private static Endpoint endpoint(String name, String host, int port, Long... pids) {
    return new Endpoint(name, host, port, List.of(pids));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "x=",
        "x=y",
        "=h:1",
        "x=:1",
        "x=h:",
        "x=h:p",
        "x=h:1:",
        "x=h:1:2,",
        "x=h:1:2:3",
        "x=[::1]",
        "x=[::1]1",
        "x=[::1"
      })
  void refuses(String text) {
    assertThatThrownBy(() -> Endpoint.parse(text))
        .isInstanceOf(BenchFailure.class)
        .hasMessageContaining("NAME=HOST:PORT");
  }

  @Test
  void knowsPgBouncersByName() {
    assertThat(Endpoint.parse("pgbouncer-8=h:1").pgBouncer()).isTrue();
    assertThat(Endpoint.parse("pgring=h:1").pgBouncer()).isFalse();
  }
}
