package io.pgring.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applies the rules to the main sources of all modules. */
@Timeout(60)
class ArchitectureTest {
  private static List<JavaSource> sources;

  @BeforeAll
  static void readSources() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("pgring"))) {
      root = root.getParent();
    }
    sources = new ArrayList<>();
    for (String module : modules(root)) {
      Path directory = root.resolve(module).resolve("src/main/java");
      if (Files.exists(directory)) {
        readModule(root, module, directory);
      }
    }
  }

  private static List<String> modules(Path root) throws IOException {
    return Pattern.compile("<module>(.+?)</module>")
        .matcher(Files.readString(root.resolve("pom.xml")))
        .results()
        .map((MatchResult result) -> result.group(1))
        .toList();
  }

  private static void readModule(Path root, String module, Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String name = root.relativize(file).toString();
        sources.add(JavaSource.of(module, name, Files.readString(file)));
      }
    }
  }

  @Test
  void readsTheSources() {
    assertThat(sources).extracting(JavaSource::module).contains("transport", "pipeline");
  }

  @Test
  void modulesUseOnlyThoseBelowThem() {
    assertThat(Rules.moduleDirection(sources)).isEmpty();
  }

  @Test
  void packagesAreNamedAfterWhatTheyAreFor() {
    assertThat(Rules.packageNames(sources)).isEmpty();
  }

  @Test
  void packagesAreDescribed() {
    assertThat(Rules.packageDescriptions(sources)).isEmpty();
  }

  @Test
  void packagesFormNoCycles() {
    assertThat(Rules.packageCycles(sources)).isEmpty();
  }

  @Test
  void hotCodeKeepsToWhatDoesNotAllocate() {
    assertThat(Rules.hotCode(sources)).isEmpty();
  }

  @Test
  void stateAndDecisionsSeeNoSockets() {
    assertThat(Rules.codeWithoutIo(sources)).isEmpty();
  }
}
