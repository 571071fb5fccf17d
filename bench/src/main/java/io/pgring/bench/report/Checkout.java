package io.pgring.bench.report;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.process.Output;
import io.pgring.bench.process.Workbench;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The working copy of the repository that this program was built in. Stateless. */
public final class Checkout {
  private Checkout() {}

  /**
   * @return its root directory, found upwards from this program's own jar or classes
   */
  public static Path root() {
    try {
      Path here =
          Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path directory = here; directory != null; directory = directory.getParent()) {
        if (Files.isDirectory(directory.resolve("perf-reports"))) {
          return directory;
        }
      }
      throw new BenchFailure("no perf-reports directory above " + here);
    } catch (URISyntaxException e) {
      throw new BenchFailure("cannot tell where this program is", e);
    }
  }

  /**
   * @param workbench where git runs
   * @return the commit in short, with "-dirty" when files differ from it; "unknown" without git
   */
  public static String commit(Workbench workbench) {
    try {
      Output described =
          workbench.run(
              // Git refuses a working copy of another user unless it is told that this is meant.
              List.of(
                  "git",
                  "-c",
                  "safe.directory=*",
                  "-C",
                  root().toString(),
                  "describe",
                  "--always",
                  "--dirty"),
              Map.of(),
              10);
      return described.exitStatus() == 0 ? described.text().strip() : "unknown";
    } catch (BenchFailure e) {
      return "unknown";
    }
  }
}
