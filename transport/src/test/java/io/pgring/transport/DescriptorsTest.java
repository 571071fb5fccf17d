package io.pgring.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class DescriptorsTest {
  @Test
  void saysNothingWhenTheLimitSuffices() {
    assertThat(Descriptors.shortage(100, 20, 30, 150)).isNull();
  }

  @Test
  void saysWhatIsMissingAndWhatToDo() {
    assertThat(Descriptors.shortage(10_000, 500, 100, 1_024))
        .isEqualTo(
            "10600 file descriptors may be needed (10000 for clients, 500 for servers, 100 fixed),"
                + " but this process may open 1024: raise its limit (ulimit -Hn 10600;"
                + " LimitNOFILE=10600 in a systemd unit), or allow fewer clients");
  }

  @Test
  void comparesWithTheLimitOfThisProcess() {
    assertThat(Descriptors.shortage(1, 1)).isNull();
    assertThat(Descriptors.shortage(Long.MAX_VALUE / 2, 0)).contains("this process may open");
  }
}
