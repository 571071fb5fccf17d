package io.pgring.config;

import java.util.EnumSet;
import java.util.Set;

/**
 * Collects the properties of one {@link ConfigKey}; used only while the catalogue is initialised.
 */
final class KeyDefinition {
  final ValueType type;
  final String defaultText;
  final Set<ConfigScope> scopes = EnumSet.noneOf(ConfigScope.class);
  String name;
  String pgbouncerNames = "";
  String meaning;
  ConfigKey inherits;
  boolean reloadable = true;
  boolean powerOfTwo;
  long min;
  long max = Long.MAX_VALUE;

  private KeyDefinition(ValueType type, String defaultText) {
    this.type = type;
    this.defaultText = defaultText;
  }

  /** A key with a default, written as in the file; elements of a list are parted by ", ". */
  static KeyDefinition key(ValueType type, String defaultText) {
    return new KeyDefinition(type, defaultText);
  }

  /** A key that has no value unless one is given. */
  static KeyDefinition key(ValueType type) {
    return new KeyDefinition(type, null);
  }

  KeyDefinition named(String yamlName) {
    name = yamlName;
    return this;
  }

  /** Bounds in the unit of the file, both inclusive. */
  KeyDefinition range(long lowest, long highest) {
    min = lowest;
    max = highest;
    return this;
  }

  KeyDefinition powerOfTwo() {
    powerOfTwo = true;
    return this;
  }

  KeyDefinition restart() {
    reloadable = false;
    return this;
  }

  KeyDefinition inherits(ConfigKey key) {
    inherits = key;
    return this;
  }

  /** PgBouncer's names for it, parted by ", ". */
  KeyDefinition pgbouncer(String names) {
    pgbouncerNames = names;
    return this;
  }

  KeyDefinition in(ConfigScope... places) {
    scopes.addAll(Set.of(places));
    return this;
  }

  KeyDefinition means(String sentence) {
    meaning = sentence;
    return this;
  }
}
