package io.pgring.demo;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.io.FileUtils;

/**
 * The directory that holds everything a demo writes. A lock file in it, locked as long as the
 * process lives, tells a running demo's directory from one that a killed demo left behind, which
 * the next start removes together with the server that still runs in it. Used by one thread at a
 * time.
 */
final class DemoDirectory implements AutoCloseable {
  private static final String PREFIX = "pgring-demo-";
  private static final String LOCK_NAME = "demo.lock";
  private static final long LEFTOVER_STOP_TIMEOUT_S = 5;

  private final Path path;
  private final FileChannel lockFile;

  private DemoDirectory(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /** Makes a directory that only the current user may enter. */
  static DemoDirectory create() throws IOException {
    return create(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static DemoDirectory create(Path parent) throws IOException {
    Path path = Files.createTempDirectory(parent, PREFIX);
    Path unlocked = path.resolve("demo.lock.new");
    FileChannel lockFile =
        FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    lockFile.lock();
    // The file gets its name once it is locked: whoever finds it unlocked may remove the directory.
    Files.move(unlocked, path.resolve(LOCK_NAME));
    return new DemoDirectory(path, lockFile);
  }

  /** Removes what killed demos of the same user have left. Returns how many there were. */
  int removeLeftovers() throws IOException {
    int removed = 0;
    try (DirectoryStream<Path> candidates =
        Files.newDirectoryStream(path.getParent(), PREFIX + "*")) {
      for (Path candidate : candidates) {
        if (isAnother(candidate) && removeIfAbandoned(candidate)) {
          removed++;
        }
      }
    }
    return removed;
  }

  Path path() {
    return path;
  }

  /** Removes the directory with all that is in it. */
  @Override
  public void close() throws IOException {
    FileUtils.deleteDirectory(path.toFile());
    lockFile.close();
  }

  private boolean isAnother(Path directory) throws IOException {
    return !directory.equals(path)
        && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(path));
  }

  private static boolean removeIfAbandoned(Path directory) throws IOException {
    Path lockName = directory.resolve(LOCK_NAME);
    if (!Files.isRegularFile(lockName, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel lockFile = FileChannel.open(lockName, StandardOpenOption.WRITE);
        FileLock lock = lockFile.tryLock()) {
      if (lock == null) {
        return false;
      }
      stopServer(directory);
      FileUtils.deleteDirectory(directory.toFile());
      return true;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static void stopServer(Path directory) throws IOException {
    Path processFile = directory.resolve(DemoServer.DATA).resolve("postmaster.pid");
    if (!Files.exists(processFile)) {
      return;
    }
    long processId = Long.parseLong(Files.readAllLines(processFile).get(0).strip());
    Optional<ProcessHandle> server =
        ProcessHandle.of(processId).filter(process -> runsIn(process, directory));
    if (server.isPresent()) {
      stop(server.get());
    }
  }

  /** The process number may have been given to another process since. */
  private static boolean runsIn(ProcessHandle process, Path directory) {
    return process.info().commandLine().orElse("").contains(directory.toString());
  }

  private static void stop(ProcessHandle server) throws IOException {
    server.destroy();
    try {
      server.onExit().get(LEFTOVER_STOP_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      server.destroyForcibly();
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
