package io.pgring.bench.trace;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.process.Workbench;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * async-profiler, loaded into a running JVM through its diagnostic commands. The agent is unpacked
 * into the workbench, and stays loaded but idle in the other JVM afterwards.
 */
final class AsyncProfiler {
  private final Jcmd jcmd;
  private final Path agent;

  AsyncProfiler(Workbench workbench, long pid) {
    this.jcmd = new Jcmd(workbench, pid);
    this.agent = unpack(workbench.directory());
  }

  void start(String event) {
    command("start,event=" + event);
  }

  /**
   * Ends the recording and writes it twice. Allocations count by their bytes, the rest by samples.
   */
  void stop(String event, Path collapsed, Path flameGraph, String title) {
    String counted = event.equals("alloc") ? "total," : "";
    command("stop,collapsed," + counted + "file=" + collapsed);
    // A comma would end the option.
    String safeTitle = title.replace(',', ' ');
    command("dump,flamegraph," + counted + "title=" + safeTitle + ",file=" + flameGraph);
  }

  private void command(String options) {
    String answer = jcmd.run("JVMTI.agent_load", agent.toString(), '"' + options + '"');
    if (!answer.contains("return code: 0")) {
      throw new BenchFailure("async-profiler refused " + options + ":\n" + answer);
    }
  }

  private static Path unpack(Path directory) {
    String architecture =
        System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("aarch64") ? "arm64" : "x64";
    String resource = "/linux-" + architecture + "/libasyncProfiler.so";
    Path library = directory.resolve("libasyncProfiler.so");
    try (InputStream content = AsyncProfiler.class.getResourceAsStream(resource)) {
      if (content == null) {
        throw new BenchFailure(resource + " is not on the class path");
      }
      Files.copy(content, library);
      return library;
    } catch (IOException e) {
      throw new BenchFailure("cannot unpack async-profiler: " + e.getMessage(), e);
    }
  }
}
