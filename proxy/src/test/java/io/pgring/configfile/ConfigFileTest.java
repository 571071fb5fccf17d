package io.pgring.configfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import io.pgring.config.PgringConfig;
import io.pgring.config.PoolMode;
import io.pgring.config.ThreadingMode;
import io.pgring.transport.Address;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

@Timeout(10)
class ConfigFileTest {
  private static final String EXAMPLE =
      """
      listen: ["127.0.0.1:6432", "unix:/tmp/pgring-sock/.s.PGSQL.6432"]
      databases:
        bench: { primary: "127.0.0.1:5432", pool_mode: transaction, pool_size: 20 }
        "*":   { primary: "127.0.0.1:5432" }
      users:
        bencher: { password: "secret" }
      lanes: auto
      threading: fused
      """;

  @TempDir private Path directory;

  @Test
  void readsTheExample() throws IOException {
    LoadedConfig loaded = load(EXAMPLE, "rw-------");

    assertThat(loaded.problems()).isEmpty();
    PgringConfig config = loaded.config();
    assertThat(config.listen())
        .containsExactly(
            Address.parse("127.0.0.1:6432"), Address.parse("unix:/tmp/pgring-sock/.s.PGSQL.6432"));
    assertThat(config.database("bench").poolMode()).isEqualTo(PoolMode.TRANSACTION);
    assertThat(config.database("bench").poolSize()).isEqualTo(20);
    assertThat(config.database("other").serverDatabase()).isEqualTo("other");
    assertThat(config.user("bencher").password()).isEqualTo("secret");
    assertThat(config.user("other")).isNull();
    assertThat(config.lanes())
        .isEqualTo(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    assertThat(config.threading()).isEqualTo(ThreadingMode.FUSED);
  }

  @ParameterizedTest
  @EnumSource
  void everyKeyArrivesFromEveryPlaceItMayStandIn(ConfigKey key) {
    for (ConfigScope scope : key.scopes()) {
      String yaml = withKey(scope, key.yamlName() + ": " + yamlOf(key));
      ProblemReport report = new ProblemReport("test");
      SecretReader secrets = new SecretReader(directory, Map.of());
      PgringConfig config =
          new ConfigReader(report, secrets)
              .read(new Yaml(new LoaderOptions()).compose(new StringReader(yaml)));

      assertThat(report.problems()).as(yaml).isEmpty();
      assertThat(config).as(yaml).isEqualTo(built(scope, key));
    }
  }

  private static String withKey(ConfigScope scope, String line) {
    return """
        databases: { db: { primary: "first:1" }, other: { %s } }
        users: { u: { password: x }, other: { %s } }
        %s
        """
        .formatted(
            scope == ConfigScope.DATABASE ? line : "",
            scope == ConfigScope.USER ? line : "",
            scope == ConfigScope.GLOBAL ? line : "");
  }

  private static PgringConfig built(ConfigScope scope, ConfigKey key) {
    PgringConfig.Builder builder =
        PgringConfig.builder().database("db", "first:1").database("other");
    builder.user("u", "x").user("other");
    switch (scope) {
      case GLOBAL -> builder.set(key, textOf(key));
      case DATABASE -> builder.setForDatabase("other", key, textOf(key));
      case USER -> builder.setForUser("other", key, textOf(key));
    }
    return builder.build();
  }

  /** A right value that is not the default. */
  private static String textOf(ConfigKey key) {
    return switch (key.type()) {
      case COUNT, BYTES -> key.isPowerOfTwo() ? "1048576" : String.valueOf(key.min() + 3);
      case SECONDS -> "7.5";
      case MILLISECONDS -> "250";
      case FLAG -> key.defaultText().equals("true") ? "false" : "true";
      case TEXT, SECRET -> "some text";
      case TEXTS -> "u";
      case ADDRESS, ADDRESSES -> "host.example:1234";
      case LANES -> "3";
      case FILE_MODE -> "0750";
      case POOL_MODE -> "session";
      case SESSION_FEATURE -> "reject";
      case THREADING -> "staged";
      case AUTH_TYPE -> "md5";
    };
  }

  private static String yamlOf(ConfigKey key) {
    String text = key.type().isBare() ? textOf(key) : "\"" + textOf(key) + "\"";
    return key.type().isList() ? "[" + text + "]" : text;
  }

  @Test
  void takesSecretsFromFilesAndTheEnvironment() throws IOException {
    write("secret", "from a file\r\n", "rw-------");
    String yaml =
        """
        databases: { db: { primary: h, password: { env: SERVER_SECRET } } }
        users: { u: { password: { file: secret } } }
        """;
    write("pgring.yaml", yaml, "rw-r--r--");
    Map<String, String> environment = Map.of("SERVER_SECRET", "from the environment");
    LoadedConfig loaded = ConfigFile.load(directory.resolve("pgring.yaml"), environment);

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.config().user("u").password()).isEqualTo("from a file");
    assertThat(loaded.config().database("db").serverPassword()).isEqualTo("from the environment");
  }

  @Test
  void warnsOfSecretsThatEverybodyCanRead() throws IOException {
    Path secret = write("secret", "x", "rw-r--r--");
    LoadedConfig loaded =
        load(
            """
            databases: { db: { primary: h, password: literal } }
            users: { u: { password: { file: secret } } }
            """,
            "rw-r--r--");

    assertThat(loaded.isUsable()).isTrue();
    assertThat(loaded.warnings())
        .extracting(Problem::toString)
        .containsExactly(
            file()
                + ": warning: holds passwords and can be read by every user of this machine; run"
                + " chmod 640, or take the passwords from files or the environment",
            file()
                + ":2:33: warning: users.u.password.file: "
                + secret
                + " can be read by every user of this machine; run chmod 600");
  }

  @Test
  void saysWhyAFileCannotBeRead() throws IOException {
    Path missing = directory.resolve("missing.yaml");
    Path latin1 = directory.resolve("latin1.yaml");
    Files.write(latin1, new byte[] {'a', ':', ' ', (byte) 0xE4});

    assertThat(ConfigFile.load(missing).problems())
        .extracting(Problem::toString)
        .containsExactly(missing + ": error: does not exist; check the path");
    assertThat(ConfigFile.load(latin1).problems())
        .extracting(Problem::toString)
        .containsExactly(latin1 + ": error: is not UTF-8; save it as UTF-8");
    assertThat(ConfigFile.load(directory).isUsable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing",
        "---\na: 1\n---\nb: 2",
        "a: &x {b: *x}",
        "databases: &x {b: *x}",
        "databases: {b: {primary: &x [*x]}}",
        "? [a]\n: b",
        "\t",
        "a: b: c",
        "{",
        "\u0000",
        "a: !!java.net.URL [x]",
        "text",
        "- list",
        "%YAML 9.9\n---\na: 1",
        "listen: []",
        "<<: {a: 1}"
      })
  void isNeverUsableAndNeverThrows(String yaml) {
    LoadedConfig loaded = ConfigFile.parse(yaml, "test", directory, Map.of());

    assertThat(loaded.isUsable()).isFalse();
    assertThat(loaded.errors()).isNotEmpty();
  }

  @Test
  void survivesDeepNestingAndManyAliases() {
    String deep = "a: " + "[".repeat(100_000);
    StringBuilder laughs = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 60; i++) {
      laughs.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
    }

    assertThat(ConfigFile.parse(deep, "test", directory, Map.of()).isUsable()).isFalse();
    assertThat(ConfigFile.parse(laughs.toString(), "test", directory, Map.of()).isUsable())
        .isFalse();
  }

  private Path file() {
    return directory.resolve("pgring.yaml");
  }

  private LoadedConfig load(String yaml, String permissions) throws IOException {
    return ConfigFile.load(write("pgring.yaml", yaml, permissions), Map.of());
  }

  private Path write(String name, String content, String permissions) throws IOException {
    Path file = Files.writeString(directory.resolve(name), content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }
}
