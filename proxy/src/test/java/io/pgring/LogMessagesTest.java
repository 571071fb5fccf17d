package io.pgring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds the page of log messages to the sources: each reason for a connection's end is on it. */
@Timeout(30)
class LogMessagesTest {
  /** Calls that end a connection and say why. */
  private static final Pattern ENDING =
      Pattern.compile("(?:closeLater|\\.lost|fatal|fail|broken)\\((?<arguments>[^;]*?)\\);");

  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern SQL_STATE = Pattern.compile("[0-9A-Z]{5}");

  @Test
  void everyReasonIsDocumented() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("pgring"))) {
      root = root.getParent();
    }
    String page = Files.readString(root.resolve("docs/log-messages.md"));

    Set<String> reasons = reasons(root.resolve("pipeline/src/main/java/io/pgring/relay"));

    assertThat(reasons).contains("client close request", "server lifetime over");
    assertThat(reasons).allSatisfy(reason -> assertThat(page).contains(reason));
  }

  private static Set<String> reasons(Path sources) throws IOException {
    Set<String> reasons = new TreeSet<>();
    List<Path> files;
    try (Stream<Path> list = Files.list(sources)) {
      files = list.toList();
    }
    for (Path file : files) {
      Matcher call = ENDING.matcher(Files.readString(file));
      while (call.find()) {
        Matcher literal = LITERAL.matcher(call.group("arguments"));
        while (literal.find()) {
          addReason(reasons, literal.group(1));
        }
      }
    }
    return reasons;
  }

  /** A text with variable parts is documented by its longest constant part. */
  private static void addReason(Set<String> reasons, String literal) {
    String reason = literal.replace("\\\"", "").replaceAll(":? *$", "").strip();
    if (reason.length() > 5 && !SQL_STATE.matcher(reason).matches()) {
      reasons.add(reason);
    }
  }
}
