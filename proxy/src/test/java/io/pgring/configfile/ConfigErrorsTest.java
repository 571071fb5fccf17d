package io.pgring.configfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every problem with its exact message. The table is {@code problems.txt}: a line with a place and
 * what is written there ({@code \n} for a new line), then the messages, indented.
 */
@Timeout(10)
class ConfigErrorsTest {
  private static final Path DIRECTORY = Path.of("/nowhere");

  static List<Arguments> problems() throws IOException, URISyntaxException {
    Path table = Path.of(ConfigErrorsTest.class.getResource("problems.txt").toURI());
    List<Arguments> cases = new ArrayList<>();
    List<String> messages = List.of();
    for (String line : Files.readAllLines(table)) {
      if (line.startsWith("  ")) {
        messages.add(line.strip());
      } else {
        messages = new ArrayList<>();
        cases.add(Arguments.of(line, messages));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource
  void problems(String line, List<String> messages) {
    LoadedConfig loaded = ConfigFile.parse(yaml(line), "f", DIRECTORY, Map.of());

    assertThat(loaded.problems()).extracting(Problem::toString).isEqualTo(messages);
    assertThat(loaded.isUsable()).isEqualTo(loaded.errors().isEmpty());
  }

  private static String yaml(String line) {
    String place = line.substring(0, line.indexOf(' '));
    String text = line.substring(place.length()).strip().replace("\\n", "\n").replace("\\t", "\t");
    return switch (place) {
      case "file" -> text;
      case "top" -> text + "\n" + sections("{ primary: h }", "{ auth_type: trust }");
      case "database" -> sections(text, "{ auth_type: trust }");
      case "user" -> sections("{ primary: h }", text);
      default -> throw new IllegalArgumentException(line);
    };
  }

  private static String sections(String database, String user) {
    return "databases: { db: " + database + " }\nusers: { u: " + user + " }\n";
  }
}
