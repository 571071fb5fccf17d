package io.pgring.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PortsTest {
  @Test
  void namesATakenPortAndTakesAnother() throws IOException {
    List<String> notices = new ArrayList<>();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = Ports.freeFrom(taken.getLocalPort(), notices::add);

      assertThat(port).isNotEqualTo(taken.getLocalPort());
      assertThat(notices)
          .containsExactly("port " + taken.getLocalPort() + " is taken; using " + port);
    }
  }

  @Test
  void saysNothingWhenNoPortIsPreferred() throws IOException {
    List<String> notices = new ArrayList<>();

    assertThat(Ports.freeFrom(0, notices::add)).isPositive();
    assertThat(notices).isEmpty();
  }
}
