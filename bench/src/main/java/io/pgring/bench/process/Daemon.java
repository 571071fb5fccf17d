package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs in the background until it is stopped. Owned by the {@link Workbench} that
 * started it; used from the main thread and, on Ctrl-C, stopped from the shutdown hook.
 */
public final class Daemon implements AutoCloseable {
  private static final long STOP_LIMIT_SECONDS = 10;

  private final String name;
  private final List<String> command;
  private final Process process;
  private final Path log;

  Daemon(String name, List<String> command, Process process, Path log) {
    this.name = name;
    this.command = command;
    this.process = process;
    this.log = log;
  }

  /**
   * @return the process id of the program itself, not of a wrapper
   */
  public long pid() {
    return process.pid();
  }

  /**
   * @return whether the program still runs
   */
  public boolean alive() {
    return process.isAlive();
  }

  /**
   * @return everything the program has printed so far
   */
  public String log() {
    try {
      return Files.exists(log) ? Files.readString(log, StandardCharsets.ISO_8859_1) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * @throws BenchFailure with the end of its log when the program no longer runs
   */
  public void requireAlive() {
    if (!alive()) {
      throw new BenchFailure(
          name
              + " ended by itself with status "
              + process.exitValue()
              + ":\n"
              + Output.tail(log()));
    }
  }

  /** Sends SIGTERM and returns at once. */
  public void terminate() {
    process.destroy();
  }

  /** Sends SIGKILL and returns at once. */
  public void kill() {
    process.destroyForcibly();
  }

  /**
   * Waits for the program to end by itself.
   *
   * @param limitSeconds how long to wait before it is killed
   * @return its exit status and what it printed
   * @throws BenchFailure when the limit passed
   */
  public Output await(long limitSeconds) {
    try {
      if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
        kill();
        throw new BenchFailure(
            name + " did not end within " + limitSeconds + " s:\n" + Output.tail(log()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted while waiting for " + name, e);
    }
    return new Output(command, process.exitValue(), log());
  }

  /** SIGTERM, and SIGKILL for a program that does not follow it in time. */
  @Override
  public void close() {
    terminate();
    try {
      if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
