package io.pgring.transport.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the lookup in a process whose names come from a file that changes, since a JVM reads its
 * cache settings once.
 */
@Timeout(60)
class SystemLookupTest {
  @TempDir Path directory;

  private Process child;

  @AfterEach
  void stop() {
    child.destroyForcibly();
  }

  @Test
  void noAnswerComesFromACache() throws IOException {
    Path hosts = Files.writeString(directory.resolve("hosts"), "192.0.2.1 db\n");
    child = start(hosts);
    BufferedReader answers = child.inputReader(StandardCharsets.US_ASCII);
    PrintStream questions =
        new PrintStream(child.getOutputStream(), true, StandardCharsets.US_ASCII);

    questions.println("db");
    assertThat(answers.readLine()).isEqualTo("192.0.2.1");
    questions.println("new");
    assertThat(answers.readLine()).isEqualTo("unknown");

    Files.writeString(hosts, "192.0.2.2 db\n192.0.2.3 new\n");
    questions.println("db");
    assertThat(answers.readLine()).isEqualTo("192.0.2.2");
    questions.println("new");
    assertThat(answers.readLine()).isEqualTo("192.0.2.3");
  }

  private static Process start(Path hosts) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Xmx64m",
            "-Djdk.net.hosts.file=" + hosts,
            "-cp",
            System.getProperty("java.class.path"),
            SystemLookupChild.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
