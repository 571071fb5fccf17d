package io.pgring.admin;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import io.pgring.config.PgringConfig;
import java.util.List;
import java.util.stream.Stream;

/**
 * A key of the top level and its new value, as SET has it. Immutable.
 *
 * @param values one text, or any number of them for a list
 */
record Setting(ConfigKey key, List<String> values) {
  /**
   * Reads {@code SET key = value}, where {@code TO} may stand for the sign, and commas between the
   * values of a list.
   *
   * @return null when the name is no key of pgring: drivers set things of their own at login
   * @throws ConsoleError when the key cannot be changed, or not to this value
   */
  static Setting parse(Command command) {
    List<String> words = command.arguments();
    ConfigKey key = words.isEmpty() ? null : key(words.get(0));
    if (key == null) {
      return null;
    }
    if (words.size() < 3 || !words.get(1).equals("=") && !words.get(1).equalsIgnoreCase("TO")) {
      throw new ConsoleError("42601", "syntax error in '" + command + "'", "SET key = value");
    }
    if (!key.isReloadable()) {
      throw new ConsoleError(
          "55P02",
          "parameter \"" + key.yamlName() + "\" cannot be changed without restarting pgring",
          null);
    }
    List<String> values =
        words.subList(2, words.size()).stream().filter(word -> !word.equals(",")).toList();
    Setting setting = new Setting(key, values);
    setting.requireValid();
    return setting;
  }

  private static ConfigKey key(String name) {
    for (ConfigKey key : globals().toList()) {
      if (key.yamlName().equalsIgnoreCase(name)) {
        return key;
      }
    }
    globals()
        .filter(key -> key.pgbouncerNames().stream().anyMatch(name::equalsIgnoreCase))
        .findFirst()
        .ifPresent(
            key -> {
              throw new ConsoleError(
                  "42704",
                  "unrecognized configuration parameter \"" + name + "\"",
                  "In pgring it is " + key.yamlName() + ".");
            });
    return null;
  }

  private static Stream<ConfigKey> globals() {
    return Stream.of(ConfigKey.values()).filter(key -> key.scopes().contains(ConfigScope.GLOBAL));
  }

  private void requireValid() {
    try {
      if (!key.type().isList() && values.size() != 1) {
        throw new IllegalArgumentException("must be one value");
      }
      key.parse(values);
    } catch (IllegalArgumentException wrong) {
      throw new ConsoleError("22023", key.yamlName() + " " + wrong.getMessage(), null);
    }
  }

  /** A configuration that differs in this key alone. */
  PgringConfig applyTo(PgringConfig config) {
    return config.with(key, values);
  }
}
