package io.pgring.configfile;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import java.util.ArrayList;
import java.util.List;

/** Finds the key that the writer of an unknown one may have meant. */
final class KeySuggestion {
  private static final int LETTERS_PER_MISTAKE = 3;

  private KeySuggestion() {}

  /** The key of this name in this scope; null when there is none. */
  static ConfigKey find(ConfigScope scope, String name) {
    for (ConfigKey key : ConfigKey.values()) {
      if (key.scopes().contains(scope) && key.yamlName().equals(name)) {
        return key;
      }
    }
    return null;
  }

  /** What to do about a key that {@link #find} does not know. */
  static String cure(ConfigScope scope, String unknown) {
    for (ConfigKey key : ConfigKey.values()) {
      if (key.scopes().contains(scope) && isOtherName(key, unknown)) {
        return "write " + key.yamlName() + ", which is " + key.type().description();
      }
    }
    for (ConfigKey key : ConfigKey.values()) {
      if (key.yamlName().equals(unknown) || isOtherName(key, unknown)) {
        return "write " + key.yamlName() + " " + places(key);
      }
    }
    String nearest = nearest(scope, unknown);
    return nearest == null
        ? "docs/configuration.md lists the keys"
        : "did you mean " + nearest + "?";
  }

  private static boolean isOtherName(ConfigKey key, String name) {
    String yamlName = key.yamlName();
    int unit = yamlName.lastIndexOf('_');
    return key.pgbouncerNames().contains(name)
        || (unit > 0 && yamlName.substring(0, unit).equals(name) && hasUnit(key));
  }

  private static boolean hasUnit(ConfigKey key) {
    String yamlName = key.yamlName();
    return yamlName.endsWith("_s") || yamlName.endsWith("_ms") || yamlName.endsWith("_bytes");
  }

  private static String places(ConfigKey key) {
    List<String> places = new ArrayList<>();
    for (ConfigScope scope : ConfigScope.values()) {
      if (key.scopes().contains(scope)) {
        places.add(scope.place());
      }
    }
    return String.join(" or ", places);
  }

  private static String nearest(ConfigScope scope, String unknown) {
    List<String> names = new ArrayList<>();
    if (scope == ConfigScope.GLOBAL) {
      names.add(ConfigReader.DATABASES);
      names.add(ConfigReader.USERS);
    }
    for (ConfigKey key : ConfigKey.values()) {
      if (key.scopes().contains(scope)) {
        names.add(key.yamlName());
      }
    }
    String nearest = null;
    int fewest = unknown.length() / LETTERS_PER_MISTAKE + 1;
    for (String name : names) {
      int mistakes = distance(name, unknown);
      if (mistakes < fewest) {
        fewest = mistakes;
        nearest = name;
      }
    }
    return nearest;
  }

  /** Levenshtein distance: letters to insert, remove or replace. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
