package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The place of one run: a directory of its own and everything that was started in it. Closing stops
 * all of it, last started first, and removes the directory; a shutdown hook does the same on Ctrl-C
 * or SIGTERM. Used from the main thread; {@link #close} may also come from the hook.
 */
public final class Workbench implements AutoCloseable {
  private final Path directory;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Thread hook = new Thread(this::stopAll, "workbench-stop");
  private boolean stopping;
  private int logs;

  private Workbench(Path directory) {
    this.directory = directory;
  }

  /**
   * @return a new workbench in a temporary directory, whose content an unprivileged server process
   *     may reach but not list
   */
  public static Workbench open() {
    try {
      Path directory = Files.createTempDirectory("pgring-bench-");
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      Workbench workbench = new Workbench(directory);
      Runtime.getRuntime().addShutdownHook(workbench.hook);
      return workbench;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @return the directory, absolute
   */
  public Path directory() {
    return directory;
  }

  /**
   * Takes over something to be closed with this workbench.
   *
   * @param resource what to close
   * @param <T> its type
   * @return the resource
   */
  public synchronized <T extends AutoCloseable> T own(T resource) {
    opened.push(resource);
    return resource;
  }

  /**
   * Starts a program in the background.
   *
   * @param name what messages call it
   * @param command the program and its arguments
   * @param environment variables added to this process's own
   * @return the running program
   * @throws BenchFailure when it cannot be started or the workbench is being closed
   */
  public synchronized Daemon start(
      String name, List<String> command, Map<String, String> environment) {
    if (stopping) {
      throw new BenchFailure("stopped");
    }
    Path log = directory.resolve(name + "-" + logs++ + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(new java.io.File("/dev/null"))
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    try {
      return own(new Daemon(name, command, builder.start(), log));
    } catch (IOException e) {
      throw new BenchFailure("cannot start " + command.get(0) + ": " + e.getMessage(), e);
    }
  }

  /**
   * Runs a program to its end.
   *
   * @param command the program and its arguments
   * @param environment variables added to this process's own
   * @param limitSeconds how long it may take
   * @return its exit status and what it printed
   */
  public Output run(List<String> command, Map<String, String> environment, long limitSeconds) {
    String name = Path.of(command.get(0)).getFileName().toString();
    Daemon daemon = start(name, command, environment);
    try {
      return daemon.await(limitSeconds);
    } finally {
      release(daemon);
    }
  }

  /**
   * Stops something before the rest.
   *
   * @param resource what to close; no longer owned afterwards
   */
  public void release(AutoCloseable resource) {
    synchronized (this) {
      opened.remove(resource);
    }
    closeQuietly(resource);
  }

  @Override
  public void close() {
    stopAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is on its way out: the hook runs by itself and finds nothing left to do.
      return;
    }
  }

  private synchronized void stopAll() {
    stopping = true;
    while (!opened.isEmpty()) {
      closeQuietly(opened.pop());
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      if (Files.exists(directory)) {
        System.err.println("bench: could not remove " + directory + ": " + e.getMessage());
      }
    }
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      System.err.println("bench: stopping " + resource + ": " + e.getMessage());
    }
  }
}
