package io.pgring.configfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads secrets: a text, {@code { file: PATH }} or {@code { env: NAME }}. A line end after the
 * secret in a file is not part of it.
 */
final class SecretReader {
  private static final long MAX_FILE_BYTES = 65_536;
  private static final String FORMS = "a text, { file: PATH } or { env: NAME }";

  private final Path directory;
  private final Map<String, String> environment;
  private boolean hasLiteralSecrets;

  /**
   * @param directory where relative paths start
   * @param environment the variables
   */
  SecretReader(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = environment;
  }

  /** Whether a secret stood in the file itself. */
  boolean hasLiteralSecrets() {
    return hasLiteralSecrets;
  }

  /** Whether the last permission bits let everybody read it; false where there are none. */
  static boolean isReadableByOthers(Path file) {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** The secret; null after a report. */
  String read(Node node, String path, ProblemReport report) {
    return node instanceof ScalarNode scalar
        ? literal(scalar, path, report)
        : referenced(node, path, report);
  }

  private String literal(ScalarNode scalar, String path, ProblemReport report) {
    boolean isText = ConfigReader.isStandard(scalar) && !scalar.getTag().equals(Tag.NULL);
    if (!isText || scalar.getValue().isEmpty()) {
      report.error(scalar, path, "has no value", "write " + FORMS);
      return null;
    }
    hasLiteralSecrets = true;
    return scalar.getValue();
  }

  private String referenced(Node node, String path, ProblemReport report) {
    if (node instanceof MappingNode mapping && mapping.getValue().size() == 1) {
      NodeTuple tuple = mapping.getValue().get(0);
      if (tuple.getKeyNode() instanceof ScalarNode form
          && tuple.getValueNode() instanceof ScalarNode value) {
        if (form.getValue().equals("file")) {
          return fromFile(value, path + ".file", report);
        }
        if (form.getValue().equals("env")) {
          return fromEnvironment(value, path + ".env", report);
        }
      }
    }
    report.error(node, path, "must be " + FORMS, "give exactly one of them");
    return null;
  }

  private String fromEnvironment(ScalarNode name, String path, ProblemReport report) {
    String secret = environment.get(name.getValue());
    if (secret == null || secret.isEmpty()) {
      String wrong = "the environment variable " + name.getValue() + " is not set";
      report.error(name, path, wrong, "set it before pgring starts");
      return null;
    }
    return secret;
  }

  private String fromFile(ScalarNode name, String path, ProblemReport report) {
    try {
      Path file = directory.resolve(name.getValue());
      if (!Files.isRegularFile(file)) {
        report.error(name, path, file + " is no file", "create it with the secret in it");
        return null;
      }
      if (Files.size(file) > MAX_FILE_BYTES) {
        String wrong = file + " is longer than " + MAX_FILE_BYTES + " bytes";
        report.error(name, path, wrong, "put nothing but the secret into it");
        return null;
      }
      if (isReadableByOthers(file)) {
        String wrong = file + " can be read by every user of this machine";
        report.warning(name, path, wrong, "run chmod 600");
      }
      return content(file, name, path, report);
    } catch (IOException | InvalidPathException e) {
      report.error(name, path, "cannot be read: " + e.getMessage(), "check the path and the mode");
      return null;
    }
  }

  private static String content(Path file, ScalarNode name, String path, ProblemReport report)
      throws IOException {
    String text = Files.readString(file);
    String secret = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    secret = secret.endsWith("\r") ? secret.substring(0, secret.length() - 1) : secret;
    if (secret.isEmpty()) {
      report.error(name, path, file + " is empty", "put the secret into it");
      return null;
    }
    return secret;
  }
}
