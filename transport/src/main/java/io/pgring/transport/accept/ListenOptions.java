package io.pgring.transport.accept;

import io.pgring.transport.SocketOptions;

/**
 * How listening sockets are made. Immutable. The names in the configuration are PgBouncer's ({@code
 * listen_backlog}, {@code unix_socket_mode}, {@code unix_socket_group}).
 *
 * @param backlog connections that the kernel holds until they are accepted; Linux caps it at {@code
 *     net.core.somaxconn}
 * @param unixMode permission bits of socket files, such as 0777; a client needs the right to write
 * @param unixGroup name or number of the group that socket files belong to; empty for the process's
 *     own
 * @param accepted options of every accepted TCP connection
 */
public record ListenOptions(int backlog, int unixMode, String unixGroup, SocketOptions accepted) {
  private static final int DEFAULT_BACKLOG = 4096;
  private static final int MAX_MODE = 0777;

  /**
   * A backlog for a whole fleet that reconnects at once, and socket files open to every local user.
   */
  public static final ListenOptions DEFAULTS =
      new ListenOptions(DEFAULT_BACKLOG, MAX_MODE, "", SocketOptions.DEFAULTS);

  /** Refuses what the kernel would misunderstand. */
  public ListenOptions {
    if (backlog < 1) {
      throw new IllegalArgumentException("backlog is " + backlog + ", must be at least 1");
    }
    if (unixMode < 0 || unixMode > MAX_MODE) {
      throw new IllegalArgumentException(
          "unixMode is " + Integer.toOctalString(unixMode) + ", must be within 0777");
    }
  }
}
