package io.pgring.transport;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Checks at start that the process may open as many files as its configuration can ask for, so that
 * the shortage is found by the operator and not by the clients. Stateless; any thread.
 */
public final class Descriptors {
  /**
   * Beyond what is open at the check: log files that roll, administrative connections, files the
   * JVM opens late.
   */
  private static final long RESERVE = 64;

  private Descriptors() {}

  /**
   * Compares the process's limit with its greatest possible need. To be called when listeners and
   * selectors are open, since what is open at that time is counted as the fixed part of the need.
   *
   * @param clients most client connections at one time
   * @param servers most server connections at one time, over all pools
   * @return null when the limit suffices, or a sentence for the operator that says what to change
   */
  public static String shortage(long clients, long servers) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long fixed = system.getOpenFileDescriptorCount() + RESERVE;
      return shortage(clients, servers, fixed, system.getMaxFileDescriptorCount());
    }
    return null;
  }

  static String shortage(long clients, long servers, long fixed, long limit) {
    long need = clients + servers + fixed;
    if (need <= limit) {
      return null;
    }
    return String.format(
        "%d file descriptors may be needed (%d for clients, %d for servers, %d fixed), but this"
            + " process may open %d: raise its limit (ulimit -Hn %d; LimitNOFILE=%d in a systemd"
            + " unit), or allow fewer clients",
        need, clients, servers, fixed, limit, need, need);
  }
}
