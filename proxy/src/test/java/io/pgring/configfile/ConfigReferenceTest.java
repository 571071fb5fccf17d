package io.pgring.configfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ConfigReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");
  private static final String COMMAND =
      "mvn -q -pl proxy -am test -Dtest=ConfigReferenceTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dpgring.docs.write=true";

  @Test
  void thePageIsWhatTheCatalogueSays() throws IOException {
    if (Boolean.getBoolean("pgring.docs.write")) {
      Files.writeString(PAGE, ConfigReference.markdown());
    }

    assertThat(Files.readString(PAGE))
        .as("docs/configuration.md is stale; run: " + COMMAND)
        .isEqualTo(ConfigReference.markdown());
  }

  @Test
  void everyKeyIsDescribed() {
    for (ConfigKey key : ConfigKey.values()) {
      assertThat(key.meaning()).as(key.name()).endsWith(".").doesNotContain("|");
      assertThat(ConfigReference.markdown()).contains("| `" + key.yamlName() + "` |");
    }
  }

  @Test
  void theFileOnThePageIsRight() {
    String page = ConfigReference.markdown();
    String example = page.substring(page.indexOf("```yaml\n") + 8, page.indexOf("```\n\n- "));

    assertThat(ConfigFile.parse(example, "page", Path.of(""), Map.of()).problems()).isEmpty();
  }
}
