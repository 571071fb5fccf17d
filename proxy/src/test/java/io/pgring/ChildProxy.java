package io.pgring;

import io.pgring.testkit.Rig;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code pgring serve} as a process of its own, on the test's class path. Used by one thread. */
final class ChildProxy implements AutoCloseable {
  /** How long the end may take on a loaded machine. */
  private static final long END_LIMIT_S = 30;

  private final Path log;
  private final Process process;

  private ChildProxy(Path log, Process process) {
    this.log = log;
    this.process = process;
  }

  /** Starts it and waits until it listens. */
  static ChildProxy serve(Path directory, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx128m", "-cp", classPathWithoutTests(), "io.pgring.Main", "serve"));
    command.addAll(List.of(arguments));
    Path log = directory.resolve("pgring.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    ChildProxy child = new ChildProxy(log, process);
    child.awaitLog("listening on ");
    return child;
  }

  /** Tests have a log configuration of their own, which must not be found. */
  private static String classPathWithoutTests() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** All that it has printed. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitLog(String text) {
    try {
      Rig.eventually("the log has " + text, () -> log().contains(text));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ":\n" + log(), e);
    }
  }

  int port() {
    return portAfter("listening on 127\\.0\\.0\\.1:");
  }

  int httpPort() {
    return portAfter("health checks on http://127\\.0\\.0\\.1:");
  }

  private int portAfter(String pattern) {
    Matcher matcher = Pattern.compile(pattern + "(\\d+)").matcher(log());
    if (!matcher.find()) {
      throw new AssertionError(log());
    }
    return Integer.parseInt(matcher.group(1));
  }

  /** Sends a signal by its name without SIG. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end:\n" + log());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
