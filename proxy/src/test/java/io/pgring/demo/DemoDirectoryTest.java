package io.pgring.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class DemoDirectoryTest {
  @TempDir private Path parent;

  @Test
  void isGoneWithEverythingInItOnceClosed() throws IOException {
    DemoDirectory directory = DemoDirectory.create(parent);
    Files.createDirectories(directory.path().resolve("data/base"));

    directory.close();

    assertThat(directory.path()).doesNotExist();
  }

  @Test
  void removesWhatAKilledDemoHasLeft() throws IOException {
    Path leftover = Files.createDirectory(parent.resolve("pgring-demo-1"));
    Files.createFile(leftover.resolve("demo.lock"));
    Files.createFile(leftover.resolve("postgresql.log"));
    try (DemoDirectory directory = DemoDirectory.create(parent)) {
      assertThat(directory.removeLeftovers()).isEqualTo(1);
      assertThat(leftover).doesNotExist();
    }
  }

  @Test
  void stopsTheServerThatAKilledDemoHasLeft() throws Exception {
    Path leftover = Files.createDirectory(parent.resolve("pgring-demo-1"));
    Path data = Files.createDirectory(leftover.resolve("data"));
    Path log = Files.createFile(leftover.resolve("postgresql.log"));
    Process server = new ProcessBuilder("tail", "-f", log.toString()).start();
    try (DemoDirectory directory = DemoDirectory.create(parent)) {
      Files.createFile(leftover.resolve("demo.lock"));
      Files.writeString(data.resolve("postmaster.pid"), server.pid() + "\n" + data + "\n");

      assertThat(directory.removeLeftovers()).isEqualTo(1);
      assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void leavesAProcessAloneThatHasTheNumberOfAServerThatIsGone() throws Exception {
    Path leftover = Files.createDirectory(parent.resolve("pgring-demo-1"));
    Path data = Files.createDirectory(leftover.resolve("data"));
    Process other = new ProcessBuilder("sleep", "60").start();
    try (DemoDirectory directory = DemoDirectory.create(parent)) {
      Files.createFile(leftover.resolve("demo.lock"));
      Files.writeString(data.resolve("postmaster.pid"), other.pid() + "\n");

      assertThat(directory.removeLeftovers()).isEqualTo(1);
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void leavesRunningDemosAndWhatIsNotADemoAlone() throws IOException {
    Path foreign = Files.createDirectory(parent.resolve("pgring-demo-notes"));
    try (DemoDirectory running = DemoDirectory.create(parent);
        DemoDirectory directory = DemoDirectory.create(parent)) {
      assertThat(directory.removeLeftovers()).isZero();
      assertThat(running.path()).exists();
      assertThat(foreign).exists();
    }
  }
}
