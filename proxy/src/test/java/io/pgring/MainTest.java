package io.pgring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the command line says and which code it exits with. */
@Timeout(60)
class MainTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                             | no command is given",
        "srve                           | Did you mean: pgring serve",
        "serve                          | Missing required argument",
        "serve --foo file               | Unknown option: '--foo'",
        "serve file --to postgresql://x | mutually exclusive",
        "serve file --listen :6432      | --listen is for --to",
        "serve --to http://x            | bad connection URI",
        "check                          | Missing required parameter: 'FILE'",
        "demo --lanes 0                 | --lanes must be from 1 to 1024, not 0",
        "demo --threading fusd          | --threading must be fused or staged, not 'fusd'",
        "demo --seconds 3               | --seconds is for --check: add --check, or leave it out",
        "demo --check --seconds 0       | --seconds must be at least 1, not 0",
      })
  void saysWhatIsWrongWithTheArguments(String line, String message) {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");

    assertThat(run(arguments)).isEqualTo(2);
    assertThat(err.toString()).contains(message).contains("pgring help").doesNotContain("\tat ");
  }

  @Test
  void checkPrintsAllErrorsOfAFile() throws IOException {
    Path file = directory.resolve("bad.yaml");
    Files.writeString(
        file,
        "databases:\n  bench: { primary: \"127.0.0.1:5432\", pol_size: 3 }\n"
            + "users: {}\nthreading: fusd\n");

    assertThat(run("check", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("bad.yaml:2", "did you mean pool_size?", "bad.yaml:4");
  }

  @Test
  void checkAcceptsAValidFile() throws IOException {
    Path file = directory.resolve("good.yaml");
    Files.writeString(
        file,
        "databases:\n  bench: { primary: \"127.0.0.1:5432\" }\nusers:\n  app: { password: \"app\" }\n");

    assertThat(run("check", file.toString())).isZero();
    assertThat(out.toString()).contains("is a valid configuration");
  }

  @Test
  void serveRefusesAnInvalidFile() {
    assertThat(run("serve", directory.resolve("absent.yaml").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("does not exist");
  }

  @Test
  void helpNamesTheCommands() {
    assertThat(run("help")).isZero();
    assertThat(out.toString())
        .contains("serve", "check", "version")
        .as("the launcher's own command")
        .doesNotContain("rehearse");
  }

  @Test
  void rehearsalAnswersAQueryWithoutAServer() {
    assertThat(run("rehearse")).isZero();
  }

  @Test
  void versionIsOneLine() {
    assertThat(run("version")).isZero();
    assertThat(out.toString()).startsWith("pgring ").hasLineCount(1);
  }
}
