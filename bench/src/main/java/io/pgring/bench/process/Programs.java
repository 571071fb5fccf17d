package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the programs that a benchmark needs are installed. Stateless. */
public final class Programs {
  private static final Path DEBIAN_POSTGRESQL = Path.of("/usr/lib/postgresql");

  private Programs() {}

  /**
   * @param name a program that belongs to PostgreSQL
   * @return the one of the newest installed version, else the one on the PATH. On Debian the
   *     programs on the PATH are wrappers that choose a cluster; the real ones are preferred.
   * @throws BenchFailure when there is none, naming the package to install
   */
  public static Path postgresql(String name) {
    List<Path> directories = new ArrayList<>(debianDirectories());
    directories.addAll(path());
    return first(name, directories)
        .orElseThrow(() -> missing(name, "postgresql (the server package; it holds pgbench too)"));
  }

  /**
   * @param name a program
   * @param debianPackage the package that installs it
   * @return where it is
   * @throws BenchFailure when there is none, naming the package to install
   */
  public static Path required(String name, String debianPackage) {
    return optional(name).orElseThrow(() -> missing(name, debianPackage));
  }

  /**
   * @param name a program
   * @return where it is, if it is installed
   */
  public static Optional<Path> optional(String name) {
    List<Path> directories = new ArrayList<>(path());
    directories.add(Path.of("/usr/sbin"));
    return first(name, directories);
  }

  private static BenchFailure missing(String name, String debianPackage) {
    return new BenchFailure(
        name + " is not installed; on Debian and Ubuntu it is in the package " + debianPackage);
  }

  private static Optional<Path> first(String name, List<Path> directories) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static List<Path> path() {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    return Stream.of(path.split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .toList();
  }

  private static List<Path> debianDirectories() {
    if (!Files.isDirectory(DEBIAN_POSTGRESQL)) {
      return List.of();
    }
    try (Stream<Path> versions = Files.list(DEBIAN_POSTGRESQL)) {
      return versions
          .sorted(Comparator.comparingInt(Programs::majorVersion).reversed())
          .map(version -> version.resolve("bin"))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static int majorVersion(Path directory) {
    String name = directory.getFileName().toString();
    return name.matches("\\d{1,4}") ? Integer.parseInt(name) : 0;
  }
}
