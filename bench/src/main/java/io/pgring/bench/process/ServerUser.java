package io.pgring.bench.process;

import io.pgring.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The user that PostgreSQL and PgBouncer run as: both refuse root, so root runs them as {@code
 * postgres} or, where that user does not exist, as {@code nobody}; anybody else runs them as
 * themselves. Immutable.
 */
public final class ServerUser {
  private static final List<String> CANDIDATES = List.of("postgres", "nobody");

  private final String name;
  private final List<String> prefix;

  private ServerUser(String name, List<String> prefix) {
    this.name = name;
    this.prefix = prefix;
  }

  /**
   * @return the user for this process
   */
  public static ServerUser forThisProcess() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return new ServerUser(null, List.of());
    }
    String name =
        CANDIDATES.stream()
            .filter(ServerUser::exists)
            .findFirst()
            .orElseThrow(
                () -> new BenchFailure("neither user postgres nor nobody exists: run as non-root"));
    String setpriv = Programs.required("setpriv", "util-linux").toString();
    // setpriv replaces itself by the program, so the process id is the program's own.
    return new ServerUser(
        name,
        List.of(setpriv, "--reuid=" + name, "--regid=" + group(name), "--clear-groups", "--"));
  }

  /**
   * @param command a program and its arguments
   * @return the same, run as this user
   */
  public List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(command);
    return whole;
  }

  /**
   * Makes a new directory that only this user may enter.
   *
   * @param directory where
   * @return the directory
   */
  public Path ownDirectory(Path directory) {
    try {
      Files.createDirectory(directory);
      giveAway(directory);
      return directory;
    } catch (IOException e) {
      throw new BenchFailure("cannot create " + directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes a file that belongs to this user.
   *
   * @param file where
   * @param content its text
   */
  public void write(Path file, String content) {
    try {
      Files.writeString(file, content);
      giveAway(file);
    } catch (IOException e) {
      throw new BenchFailure("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private void giveAway(Path file) throws IOException {
    if (name != null) {
      var users = file.getFileSystem().getUserPrincipalLookupService();
      Files.setOwner(file, users.lookupPrincipalByName(name));
    }
  }

  private static boolean exists(String user) {
    return !"".equals(group(user));
  }

  /** The primary group's number of a user from the password file; empty for an unknown user. */
  private static String group(String user) {
    try {
      return Files.readAllLines(Path.of("/etc/passwd")).stream()
          .map(line -> line.split(":"))
          .filter(fields -> fields.length > 3 && fields[0].equals(user))
          .map(fields -> fields[3])
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
