package io.pgring;

import com.sun.management.OperatingSystemMXBean;
import io.pgring.config.DatabaseConfig;
import io.pgring.config.Limits;
import io.pgring.config.PgringConfig;
import io.pgring.config.UserConfig;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a configuration comes to on this machine: connections and memory at most, in lines for the
 * operator. Computed once at the start.
 */
final class StartPlan {
  private static final int MIB = 1 << 20;
  private static final int DATABASES_SHOWN = 8;

  /** What the JVM needs beside heap and direct memory: code, classes, stacks. */
  private static final long JVM_BYTES = 96L * MIB;

  private final PgringConfig config;

  StartPlan(PgringConfig config) {
    this.config = config;
  }

  /** Client connections that are admitted at most. */
  long clientConnections() {
    return config.limits().maxClientConn();
  }

  /** Server connections that all pools together may open; entries for any name count once. */
  long serverConnections() {
    long all = 0;
    for (DatabaseConfig database : config.databases().values()) {
      long connections = 0;
      for (UserConfig user : config.users().values()) {
        connections += database.poolSizeFor(user) + database.reservePoolSize();
      }
      int limit = database.maxDbConnections();
      all += limit > 0 ? Math.min(limit, connections) : connections;
    }
    return all;
  }

  private long directBytes() {
    Limits limits = config.limits();
    return limits.slabBudgetBytes() + (long) config.lanes() * limits.frameArenaBytes();
  }

  /** Configuration and plan in a few lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, Java %s, process %d"
            .formatted(VersionCommand.text(), Runtime.version(), ProcessHandle.current().pid()));
    lines.add("configuration: %s".formatted(config.settings()));
    config.databases().values().stream()
        .limit(DATABASES_SHOWN)
        .forEach(
            database ->
                lines.add(
                    "database %s: primary %s, %s pooling, %d server connections for each user"
                        .formatted(
                            database.name(),
                            database.primary(),
                            mode(database),
                            database.poolSize())));
    if (config.databases().size() > DATABASES_SHOWN) {
      lines.add("and %d more databases".formatted(config.databases().size() - DATABASES_SHOWN));
    }
    lines.add(
        "plan: %d lane(s), at most %d clients and %d servers%s, %d MiB heap, %d MiB direct memory"
            .formatted(
                config.lanes(),
                clientConnections(),
                serverConnections(),
                config.databases().containsKey(PgringConfig.ANY) ? " for each database of '*'" : "",
                Runtime.getRuntime().maxMemory() / MIB,
                directBytes() / MIB));
    return lines;
  }

  private static String mode(DatabaseConfig database) {
    return database.poolMode().name().toLowerCase(Locale.ROOT);
  }

  /** What the plan asks of the machine and will not get; empty when it fits. */
  List<String> warnings() {
    long need = Runtime.getRuntime().maxMemory() + directBytes() + JVM_BYTES;
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        && system.getTotalMemorySize() < need) {
      return List.of(
          "up to %d MiB of memory may be used, but this machine or container has %d MiB: lower slab_budget_bytes or -Xmx"
              .formatted(need / MIB, system.getTotalMemorySize() / MIB));
    }
    return List.of();
  }

  /** An address as the configuration writes it. */
  static String text(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress unix) {
      return "unix:" + unix.getPath();
    }
    InetSocketAddress inet = (InetSocketAddress) address;
    String host = inet.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + inet.getPort();
  }
}
