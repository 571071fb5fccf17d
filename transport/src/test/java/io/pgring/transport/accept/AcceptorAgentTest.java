package io.pgring.transport.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.transport.Address;
import io.pgring.transport.Channel;
import io.pgring.transport.Channel.ConnectState;
import io.pgring.transport.SocketOptions;
import io.pgring.transport.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class AcceptorAgentTest {
  private static final long NEVER_WAIT = 0;

  @TempDir Path directory;

  private final List<Channel> accepted = new ArrayList<>();
  private final List<Channel> clients = new ArrayList<>();
  private Listener tcp;
  private Listener unix;

  @BeforeEach
  void open() throws IOException {
    tcp = Listener.open(Address.parse("127.0.0.1:0"), ListenOptions.DEFAULTS);
    unix = Listener.open(Address.parse("unix:" + directory.resolve("s")), ListenOptions.DEFAULTS);
  }

  @AfterEach
  void close() throws IOException {
    clients.forEach(Channel::close);
    accepted.forEach(Channel::close);
    tcp.close();
    unix.close();
  }

  @Test
  void sharesACycleBetweenTheListeners() {
    AcceptorAgent agent = new AcceptorAgent(List.of(tcp, unix), 4, NEVER_WAIT, accepted::add);
    for (int i = 0; i < 5; i++) {
      connect(tcp.boundAddress());
      connect(unix.boundAddress());
    }

    assertThat(agent.doWork()).isEqualTo(4);
    assertThat(accepted).filteredOn(Channel::isUnix).hasSize(2);
    assertThat(agent.doWork()).isEqualTo(4);
    assertThat(agent.doWork()).isEqualTo(2);
    assertThat(agent.doWork()).isZero();
    agent.onClose();
  }

  @Test
  void closesAChannelThatNobodyTook() {
    AcceptorAgent agent =
        new AcceptorAgent(
            List.of(tcp, unix),
            4,
            NEVER_WAIT,
            channel -> {
              accepted.add(channel);
              throw new IllegalStateException("no lane");
            });
    Channel client = connect(tcp.boundAddress());

    assertThatThrownBy(agent::doWork).hasMessage("no lane");
    assertThat(awaitEnd(client)).isEqualTo(Channel.ENDED);
    agent.onClose();
  }

  @Test
  void stoppingClosesTheListenersAndEndsTheAgent() throws Exception {
    BlockingQueue<Channel> handedOver = new LinkedBlockingQueue<>();
    List<Throwable> errors = new ArrayList<>();
    AcceptorAgent agent =
        new AcceptorAgent(List.of(tcp, unix), 8, Integer.MAX_VALUE, handedOver::add);
    AgentRunner runner = new AgentRunner(NoOpIdleStrategy.INSTANCE, errors::add, null, agent);
    Thread thread = AgentRunner.startOnThread(runner);
    connect(tcp.boundAddress());
    accepted.add(handedOver.take());

    agent.stopAccepting();
    thread.join();

    assertThat(errors).isEmpty();
    assertThat(directory.resolve("s")).doesNotExist();
    Channel late = SocketStream.connect(tcp.boundAddress(), SocketOptions.DEFAULTS);
    clients.add(late);
    assertThat(awaitConnect(late)).isEqualTo(ConnectState.FAILED);
    runner.close();
  }

  @Test
  void staysEndedOnceStopped() {
    AcceptorAgent agent = new AcceptorAgent(List.of(tcp, unix), 4, NEVER_WAIT, accepted::add);
    agent.stopAccepting();

    assertThatThrownBy(agent::doWork)
        .isInstanceOfSatisfying(
            AgentTerminationException.class, end -> assertThat(end.isExpected()).isTrue());
    agent.onClose();
    agent.stopAccepting();
  }

  private Channel connect(SocketAddress address) {
    Channel client = SocketStream.connect(address, SocketOptions.DEFAULTS);
    clients.add(client);
    assertThat(awaitConnect(client)).isEqualTo(ConnectState.CONNECTED);
    return client;
  }

  private static ConnectState awaitConnect(Channel channel) {
    ConnectState state = channel.finishConnect();
    while (state == ConnectState.PENDING) {
      Thread.onSpinWait();
      state = channel.finishConnect();
    }
    return state;
  }

  private static int awaitEnd(Channel channel) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(8);
    int count = channel.read(buffer);
    while (count == 0) {
      Thread.onSpinWait();
      count = channel.read(buffer);
    }
    return count;
  }
}
