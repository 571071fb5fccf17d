package io.pgring.bench.trace;

import io.pgring.bench.process.Workbench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Diagnostic commands of another JVM of the same user. Main thread only. */
public final class Jcmd {
  private static final int LIMIT_SECONDS = 60;

  private final Workbench workbench;
  private final String pid;

  /**
   * @param workbench where jcmd runs
   * @param pid the other JVM
   */
  public Jcmd(Workbench workbench, long pid) {
    this.workbench = workbench;
    this.pid = Long.toString(pid);
  }

  /**
   * @param command a diagnostic command and its arguments
   * @return what the other JVM answers
   */
  public String run(String... command) {
    List<String> whole = new ArrayList<>();
    whole.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    whole.add(pid);
    whole.addAll(List.of(command));
    return workbench.run(whole, Map.of(), LIMIT_SECONDS).orFail().text();
  }
}
