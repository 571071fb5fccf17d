package io.pgring.configfile;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import io.pgring.config.PgringConfig;
import io.pgring.config.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Turns the nodes of a file into a configuration. A value that cannot be read is reported and then
 * left out, so that the rest is checked too. Scalars are taken as written, never as YAML's types
 * would have them.
 */
final class ConfigReader {
  /** The section of databases. */
  static final String DATABASES = "databases";

  /** The section of users. */
  static final String USERS = "users";

  private static final String STANDARD_TAGS = "tag:yaml.org,2002:";

  private final PgringConfig.Builder builder = PgringConfig.builder();
  private final Positions positions = new Positions();
  private final ProblemReport report;
  private final SecretReader secrets;

  /** One key of a mapping: its name alone, its whole path, and its nodes. */
  private record Entry(String name, String path, Node key, Node value) {}

  ConfigReader(ProblemReport report, SecretReader secrets) {
    this.report = report;
    this.secrets = secrets;
  }

  /** Where the keys stand that {@link #read} found. */
  Positions positions() {
    return positions;
  }

  PgringConfig read(Node root) {
    positions.root(root);
    for (Entry entry : entries(root, "")) {
      switch (entry.name) {
        case DATABASES -> readSection(ConfigScope.DATABASE, entry);
        case USERS -> readSection(ConfigScope.USER, entry);
        default -> readKey(ConfigScope.GLOBAL, null, entry);
      }
    }
    return builder.build();
  }

  private void readSection(ConfigScope scope, Entry section) {
    positions.owner(scope, null, section.value);
    for (Entry owner : entries(section.value, section.path)) {
      positions.owner(scope, owner.name, owner.key);
      if (owner.name.isEmpty()) {
        report.error(owner.key, section.path, "a name is empty", "give it one");
      }
      if (scope == ConfigScope.DATABASE) {
        builder.database(owner.name);
      } else {
        builder.user(owner.name);
      }
      entries(owner.value, owner.path).forEach(entry -> readKey(scope, owner.name, entry));
    }
  }

  private List<Entry> entries(Node node, String path) {
    if (!(node instanceof MappingNode mapping)) {
      report.error(node, path, "must be a mapping of keys to values", "write { key: value }");
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    Map<String, Node> firsts = new HashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        report.error(tuple.getKeyNode(), path, "a key must be a text", "write it as one");
        continue;
      }
      String name = key.getValue();
      Entry entry =
          new Entry(name, path.isEmpty() ? name : path + "." + name, key, tuple.getValueNode());
      Node first = firsts.putIfAbsent(name, key);
      if (first == null) {
        entries.add(entry);
      } else {
        int line = first.getStartMark().getLine() + 1;
        report.error(key, entry.path, "is already given in line " + line, "remove one of them");
      }
    }
    return entries;
  }

  private void readKey(ConfigScope scope, String owner, Entry entry) {
    ConfigKey key = KeySuggestion.find(scope, entry.name);
    if (key == null) {
      String wrong = "is unknown " + scope.place();
      report.error(entry.key, entry.path, wrong, KeySuggestion.cure(scope, entry.name));
      return;
    }
    positions.value(scope, owner, key, entry.value);
    List<String> texts = texts(key, entry);
    if (texts == null) {
      positions.broken(scope, owner, key);
    } else {
      set(scope, owner, key, texts);
    }
  }

  private void set(ConfigScope scope, String owner, ConfigKey key, List<String> texts) {
    String[] values = texts.toArray(String[]::new);
    switch (scope) {
      case GLOBAL -> builder.set(key, values);
      case DATABASE -> builder.setForDatabase(owner, key, values);
      case USER -> builder.setForUser(owner, key, values);
    }
  }

  private static String withoutKey(ConfigKey key) {
    String text = key.defaultText();
    return text == null || text.isEmpty() ? "" : "without the key it is " + text;
  }

  /** The text or texts of a value, which the key accepts; null after a report. */
  private List<String> texts(ConfigKey key, Entry entry) {
    if (!key.type().isList()) {
      String text = accepted(key, entry.value, entry.path);
      return text == null ? null : List.of(text);
    }
    if (!(entry.value instanceof SequenceNode sequence)) {
      String wrong = "must be " + key.type().description();
      report.error(entry.value, entry.path, wrong, "write [ ] around the values");
      return null;
    }
    List<String> texts = new ArrayList<>();
    for (Node element : sequence.getValue()) {
      texts.add(accepted(key, element, entry.path));
    }
    return texts.contains(null) ? null : texts;
  }

  private String accepted(ConfigKey key, Node node, String path) {
    boolean isSecret = key.type() == ValueType.SECRET;
    String text = isSecret ? secrets.read(node, path, report) : scalar(key, node, path);
    if (text == null) {
      return null;
    }
    try {
      key.parse(List.of(text));
      return text;
    } catch (IllegalArgumentException e) {
      report.error(node, path, e.getMessage(), withoutKey(key));
      return null;
    }
  }

  private String scalar(ConfigKey key, Node node, String path) {
    if (!(node instanceof ScalarNode scalar)) {
      report.error(node, path, "must be " + key.type().description(), withoutKey(key));
      return null;
    }
    if (!isStandard(scalar)) {
      report.error(node, path, "has the tag " + scalar.getTag(), "remove the tag");
      return null;
    }
    if (scalar.getTag().equals(Tag.NULL)) {
      report.error(node, path, "has no value", "give one or remove the key");
      return null;
    }
    if (key.type().isBare() && scalar.getScalarStyle() != ScalarStyle.PLAIN) {
      String wrong = "must be " + key.type().description() + ", not a text";
      report.error(node, path, wrong, "write " + scalar.getValue() + " without quotes");
      return null;
    }
    return scalar.getValue();
  }

  /** Whether a scalar means its own text; {@code !secret x} or {@code !!binary x} does not. */
  static boolean isStandard(ScalarNode scalar) {
    return scalar.getTag().startsWith(STANDARD_TAGS) && !scalar.getTag().equals(Tag.BINARY);
  }
}
