package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processor time of running processes, from {@code /proc/PID/stat} (proc(5): utime is field 14,
 * stime field 15, both in clock ticks). Stateless.
 */
public final class ProcessClock {
  /**
   * Ticks of USER_HZ, which Linux fixes at 100 a second for user space on the platforms we run on.
   */
  static final long MICROS_PER_TICK = 10_000;

  private static final int UTIME_AFTER_NAME = 11;
  private static final int STIME_AFTER_NAME = 12;

  private ProcessClock() {}

  /**
   * @param pids processes
   * @return the user and system time they have used since they started, in microseconds, all their
   *     threads included
   * @throws BenchFailure when one of them is gone
   */
  public static long cpuMicros(List<Long> pids) {
    long ticks = 0;
    for (long pid : pids) {
      try {
        ticks += ticks(Files.readString(Path.of("/proc/" + pid + "/stat")));
      } catch (IOException e) {
        throw new BenchFailure("process " + pid + " is gone", e);
      }
    }
    return ticks * MICROS_PER_TICK;
  }

  /**
   * Waits, and looks how busy processes are meanwhile.
   *
   * @param pids processes
   * @param millis how long
   * @return the part of one core that they used
   */
  public static double cpuShare(List<Long> pids, long millis) {
    long before = cpuMicros(pids);
    Pause.millis(millis);
    return (cpuMicros(pids) - before) / (millis * 1e3);
  }

  /**
   * @param stat the content of a {@code /proc/PID/stat} file
   * @return utime plus stime, in ticks
   */
  static long ticks(String stat) {
    // The name, in parentheses, may itself hold spaces and parentheses; the last one closes it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return Long.parseLong(fields[UTIME_AFTER_NAME]) + Long.parseLong(fields[STIME_AFTER_NAME]);
  }
}
