package io.pgring.bench.check;

import com.sun.management.UnixOperatingSystemMXBean;
import io.pgring.bench.BenchFailure;
import io.pgring.bench.process.Programs;
import io.pgring.bench.process.Workbench;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The file descriptors of this process and of others. Stateless. */
public final class Descriptors {
  private static final int SPARE = 500;
  private static final int LIMIT_SECONDS = 10;

  private Descriptors() {}

  /**
   * A JVM raises its own soft limit to the hard one; proxies that are started inherit the hard one.
   *
   * @param clients connections held at once
   * @throws BenchFailure when this process may not open as many, naming the cure
   */
  public static void require(int clients) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && system.getMaxFileDescriptorCount() < clients + SPARE) {
      throw new BenchFailure(
          "%d clients need %d file descriptors; the limit is %d: raise it with ulimit -n"
              .formatted(clients, clients + SPARE, system.getMaxFileDescriptorCount()));
    }
  }

  /**
   * @param pid a process of this user
   * @return how many it has open
   */
  public static int open(long pid) {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return (int) descriptors.count();
    } catch (IOException e) {
      throw new BenchFailure("process " + pid + " is gone", e);
    }
  }

  /**
   * Changes the soft limit of a running process.
   *
   * @param workbench where the program that does it runs
   * @param pid a process of this user
   * @param count how many it may have open from now on
   */
  public static void limit(Workbench workbench, long pid, int count) {
    String prlimit = Programs.required("prlimit", "util-linux").toString();
    workbench
        .run(
            List.of(prlimit, "--pid", Long.toString(pid), "--nofile=" + count + ":"),
            Map.of(),
            LIMIT_SECONDS)
        .orFail();
  }
}
