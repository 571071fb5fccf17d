package io.pgring.transport.accept;

import io.pgring.transport.Address;
import io.pgring.transport.Channel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * A process with few descriptors for {@link DescriptorShortageTest}. It greets each accepted client
 * with one byte and keeps it. It prints its port and then obeys commands, each of which it answers
 * with one line of numbers.
 */
final class AcceptorChild {
  static final byte GREETING = 'A';

  private final Queue<Channel> clients = new ArrayDeque<>();
  private final List<SocketChannel> hoard = new ArrayList<>();
  private final SpareDescriptor spare = new SpareDescriptor();
  private final AcceptorAgent agent;

  private AcceptorChild(Listener listener) {
    agent = new AcceptorAgent(List.of(listener), 16, 1000, this::greet, spare);
  }

  public static void main(String[] args) throws IOException {
    Listener listener = Listener.open(Address.parse("127.0.0.1:0"), ListenOptions.DEFAULTS);
    AcceptorChild child = new AcceptorChild(listener);
    System.out.println(((InetSocketAddress) listener.boundAddress()).getPort());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      System.out.println(child.obey(words[0], Integer.parseInt(words[1])));
    }
  }

  private long obey(String command, int count) {
    return switch (command) {
      case "serve" -> serve(count);
      case "free" -> free();
      case "hoard" -> hoardAllDescriptors();
      case "cycle" -> cycle(count);
      default -> throw new IllegalArgumentException(command);
    };
  }

  /** Works until so many clients were greeted or refused; returns the number refused. */
  private long serve(int count) {
    long refusedBefore = agent.refusedCount();
    int greetedBefore = clients.size();
    while (clients.size() - greetedBefore + agent.refusedCount() - refusedBefore < count) {
      agent.doWork();
    }
    return agent.refusedCount() - refusedBefore;
  }

  /** Gives everything back; returns the number of clients closed. */
  private long free() {
    int count = clients.size();
    while (!clients.isEmpty()) {
      clients.remove().close();
    }
    for (SocketChannel each : hoard) {
      try {
        each.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    return count;
  }

  /** Leaves no descriptor to anybody, the agent's spare one included. */
  private long hoardAllDescriptors() {
    spare.release();
    try {
      while (true) {
        hoard.add(SocketChannel.open());
      }
    } catch (IOException exhausted) {
      return hoard.size();
    }
  }

  /** Makes so many duty cycles; returns the milliseconds they took. */
  private long cycle(int count) {
    long startNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      agent.doWork();
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }

  private void greet(Channel channel) {
    channel.write(ByteBuffer.allocateDirect(1).put(GREETING).flip());
    clients.add(channel);
  }
}
