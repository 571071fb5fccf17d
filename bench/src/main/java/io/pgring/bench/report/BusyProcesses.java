package io.pgring.bench.report;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.process.Pause;
import io.pgring.bench.process.ProcessClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds what else keeps the machine busy and would spoil a measurement. Stateless. */
public final class BusyProcesses {
  private static final long WINDOW_MILLIS = 1_000;
  private static final long BUSY_MICROS = 50_000;

  private BusyProcesses() {}

  /**
   * Watches all processes for a second.
   *
   * @return those that used more than a twentieth of a core, with their share; this process not
   */
  public static List<String> watch() {
    Map<ProcessHandle, Long> before = new HashMap<>();
    ProcessHandle.allProcesses().forEach(process -> before.put(process, micros(process)));
    Pause.millis(WINDOW_MILLIS);
    List<String> busy = new ArrayList<>();
    before.forEach(
        (process, startMicros) -> {
          long used = micros(process) - startMicros;
          if (used > BUSY_MICROS && process.pid() != ProcessHandle.current().pid()) {
            busy.add("%s (pid %d) %d %%".formatted(name(process), process.pid(), used / 10_000));
          }
        });
    return busy;
  }

  /** The name in {@code /proc}, which is readable for the processes of others too. */
  private static String name(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/comm")).strip();
    } catch (IOException e) {
      return "a process that ended";
    }
  }

  private static long micros(ProcessHandle process) {
    try {
      return ProcessClock.cpuMicros(List.of(process.pid()));
    } catch (BenchFailure ended) {
      return 0;
    }
  }
}
