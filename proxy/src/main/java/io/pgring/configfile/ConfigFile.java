package io.pgring.configfile;

import io.pgring.config.PgringConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Loads a configuration file: YAML, of which only mappings, lists and scalars are used. Unknown
 * keys are errors, and all problems are found in one go. Never throws for what is in the file.
 */
public final class ConfigFile {
  private ConfigFile() {}

  /** Reads a file; secrets from the environment of this process. */
  public static LoadedConfig load(Path file) {
    return load(file, System.getenv());
  }

  /**
   * Reads a file.
   *
   * @param environment where secrets with {@code env} come from
   */
  static LoadedConfig load(Path file, Map<String, String> environment) {
    ProblemReport report = new ProblemReport(file.toString());
    try {
      String text = Files.readString(file);
      SecretReader secrets = new SecretReader(file.toAbsolutePath().getParent(), environment);
      LoadedConfig loaded = read(text, report, secrets);
      if (secrets.hasLiteralSecrets() && SecretReader.isReadableByOthers(file)) {
        report.warning(
            "holds passwords and can be read by every user of this machine",
            "run chmod 640, or take the passwords from files or the environment");
      }
      return new LoadedConfig(loaded.config(), report.problems());
    } catch (CharacterCodingException e) {
      report.error("is not UTF-8", "save it as UTF-8");
    } catch (NoSuchFileException e) {
      report.error("does not exist", "check the path");
    } catch (AccessDeniedException e) {
      report.error("cannot be read by this user", "change its mode or its owner");
    } catch (IOException e) {
      report.error("cannot be read: " + e.getMessage(), "check the path");
    }
    return new LoadedConfig(null, report.problems());
  }

  /**
   * Reads a configuration that is not in a file.
   *
   * @param source what it is called in messages
   * @param directory where relative paths of secrets start
   * @param environment where secrets with {@code env} come from
   */
  static LoadedConfig parse(
      String yaml, String source, Path directory, Map<String, String> environment) {
    return read(yaml, new ProblemReport(source), new SecretReader(directory, environment));
  }

  private static LoadedConfig read(String yaml, ProblemReport report, SecretReader secrets) {
    Node root = compose(yaml, report);
    if (root == null) {
      return new LoadedConfig(null, report.problems());
    }
    ConfigReader reader = new ConfigReader(report, secrets);
    PgringConfig config = reader.read(root);
    new ConsistencyCheck(config, reader.positions(), report).run();
    return new LoadedConfig(report.hasErrors() ? null : config, report.problems());
  }

  private static Node compose(String yaml, ProblemReport report) {
    try {
      String text = yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml;
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
      if (root == null) {
        report.error("is empty", "give at least databases and users");
      }
      return root;
    } catch (MarkedYAMLException e) {
      report.error(e.getProblemMark(), "is no valid YAML here: " + e.getProblem(), "");
    } catch (YAMLException e) {
      report.error("is no valid YAML: " + e.getMessage().lines().findFirst().orElse(""), "");
    }
    return null;
  }
}
