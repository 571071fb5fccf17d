package io.pgring.transport.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.pgring.transport.Address;
import io.pgring.transport.Channel;
import io.pgring.transport.SocketOptions;
import io.pgring.transport.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class TcpListenerTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:0", "localhost:0", "0.0.0.0:0", "*:0"})
  void acceptsOnTheRealPort(String text) throws IOException {
    try (Listener listener = open(text)) {
      int port = port(listener);
      assertThat(port).isPositive();
      try (Channel client = connect(port);
          Channel accepted = awaitAccept(listener)) {
        assertThat(accepted.isUnix()).isFalse();
        assertThat(accepted.remote()).startsWith("127.0.0.1:");
      }
    }
  }

  @Test
  void theIpv4WildcardLeavesIpv6Alone() throws IOException {
    try (Listener listener = open("0.0.0.0:0")) {
      assertThat(((InetSocketAddress) listener.boundAddress()).getHostString())
          .isEqualTo("0.0.0.0");
    }
  }

  @Test
  void saysWhichAddressIsTaken() throws IOException {
    try (Listener listener = open("127.0.0.1:0")) {
      String taken = "127.0.0.1:" + port(listener);

      assertThatIOException()
          .isThrownBy(() -> open(taken))
          .withMessage("cannot listen on " + taken + ": Address already in use");
    }
  }

  @Test
  void saysWhichNameIsUnknown() {
    assertThatIOException()
        .isThrownBy(() -> open("no-such-host.invalid:0"))
        .withMessage("cannot listen on no-such-host.invalid:0: the host name is unknown");
  }

  @Test
  void aPortCanBeTakenAgainAtOnce() throws IOException {
    String address;
    try (Listener listener = open("127.0.0.1:0")) {
      address = "127.0.0.1:" + port(listener);
      try (Channel client = connect(port(listener));
          Channel accepted = awaitAccept(listener)) {
        accepted.close();
      }
    }
    try (Listener again = open(address)) {
      assertThat(port(again)).isPositive();
    }
  }

  @Test
  void theBacklogHoldsABurst() throws IOException {
    int burst = 200;
    List<Channel> clients = new ArrayList<>();
    try (Listener listener = open("127.0.0.1:0")) {
      for (int i = 0; i < burst; i++) {
        clients.add(connect(port(listener)));
      }
      for (int i = 0; i < burst; i++) {
        awaitAccept(listener).close();
      }
      assertThat(listener.accept()).isNull();
      assertThat(listener.failure()).isNull();
    } finally {
      clients.forEach(Channel::close);
    }
  }

  private static Listener open(String text) throws IOException {
    return Listener.open(Address.parse(text), ListenOptions.DEFAULTS);
  }

  private static int port(Listener listener) {
    return ((InetSocketAddress) listener.boundAddress()).getPort();
  }

  private static Channel connect(int port) {
    return SocketStream.connect(new InetSocketAddress("127.0.0.1", port), SocketOptions.DEFAULTS);
  }

  private static Channel awaitAccept(Listener listener) {
    Channel accepted = listener.accept();
    while (accepted == null) {
      Thread.onSpinWait();
      accepted = listener.accept();
    }
    return accepted;
  }
}
