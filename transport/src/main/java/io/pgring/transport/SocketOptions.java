package io.pgring.transport;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * How TCP finds peers that vanished without a word, for one side of the proxy. Immutable. The names
 * in the configuration are PgBouncer's ({@code tcp_keepalive}, {@code tcp_keepidle}, {@code
 * tcp_keepintvl}, {@code tcp_keepcnt}).
 *
 * <p>There is no {@code tcp_user_timeout} here: Java has no way to set TCP_USER_TIMEOUT. Bytes that
 * a vanished peer does not acknowledge are given up after the kernel's retransmissions ({@code
 * net.ipv4.tcp_retries2}) or by the timeouts of pgring.
 *
 * @param keepAlive whether idle connections are probed at all
 * @param keepIdleSeconds idle time before the first probe, up to 32,767; 0 leaves it to the
 *     operating system
 * @param keepIntervalSeconds time between probes, up to 32,767; 0 leaves it to the operating system
 * @param keepCount unanswered probes after which the connection is dead, up to 127; 0 leaves it to
 *     the operating system
 */
public record SocketOptions(
    boolean keepAlive, int keepIdleSeconds, int keepIntervalSeconds, int keepCount) {
  /** Probing with the operating system's times, as PgBouncer does by default. */
  public static final SocketOptions DEFAULTS = new SocketOptions(true, 0, 0, 0);

  private static final int MAX_SECONDS = 32_767;
  private static final int MAX_COUNT = 127;

  /** Checks the limits of Linux here, because there they would fail every single connection. */
  public SocketOptions {
    requireRange("keepIdleSeconds", keepIdleSeconds, MAX_SECONDS);
    requireRange("keepIntervalSeconds", keepIntervalSeconds, MAX_SECONDS);
    requireRange("keepCount", keepCount, MAX_COUNT);
  }

  /**
   * Applies the options to a TCP socket; NODELAY always, since whole batches are written at once.
   */
  void applyTo(SocketChannel socket) throws IOException {
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    if (!keepAlive) {
      return;
    }
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (keepIdleSeconds > 0) {
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, keepIdleSeconds);
    }
    if (keepIntervalSeconds > 0) {
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, keepIntervalSeconds);
    }
    if (keepCount > 0) {
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, keepCount);
    }
  }

  private static void requireRange(String name, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(name + " is " + value + ", not in 0.." + max);
    }
  }
}
