package io.pgring.config;

import io.pgring.transport.Address;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Values by key. A key that was not given has the value of the key it inherits from, or else its
 * default. Immutable; equal when given the same values.
 */
public final class Settings {
  static final Settings EMPTY = new Settings(new EnumMap<>(ConfigKey.class));

  private final Map<ConfigKey, Object> given;

  private Settings(Map<ConfigKey, Object> given) {
    this.given = Collections.unmodifiableMap(given);
  }

  Settings with(ConfigKey key, Object value) {
    Map<ConfigKey, Object> values = new EnumMap<>(ConfigKey.class);
    values.putAll(given);
    values.put(key, value);
    return new Settings(values);
  }

  /** These settings, and beneath them the others for what is not given here. */
  Settings over(Settings others) {
    Map<ConfigKey, Object> values = new EnumMap<>(ConfigKey.class);
    values.putAll(others.given);
    values.putAll(given);
    return new Settings(values);
  }

  /** Whether a value was given. */
  public boolean has(ConfigKey key) {
    return given.containsKey(key);
  }

  /** The value as the file would have it, with secrets masked; null when there is none. */
  public String text(ConfigKey key) {
    Object value = value(key);
    return value == null ? null : key.format(value);
  }

  Object value(ConfigKey key) {
    Object value = given.get(key);
    if (value == null && key.inherits() != null) {
      return value(key.inherits());
    }
    return value == null ? key.defaultValue() : value;
  }

  long number(ConfigKey key) {
    return (Long) value(key);
  }

  int count(ConfigKey key) {
    return Math.toIntExact(number(key));
  }

  boolean flag(ConfigKey key) {
    return (Boolean) value(key);
  }

  String string(ConfigKey key) {
    return (String) value(key);
  }

  Address address(ConfigKey key) {
    return (Address) value(key);
  }

  List<String> strings(ConfigKey key) {
    return ((List<?>) value(key)).stream().map(String.class::cast).toList();
  }

  List<Address> addresses(ConfigKey key) {
    return ((List<?>) value(key)).stream().map(Address.class::cast).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings that && given.equals(that.given);
  }

  @Override
  public int hashCode() {
    return given.hashCode();
  }

  /** The given values in the order of the catalogue, with secrets masked. */
  @Override
  public String toString() {
    StringJoiner values = new StringJoiner(", ", "{ ", " }");
    given.forEach((key, value) -> values.add(key.yamlName() + ": " + key.format(value)));
    return given.isEmpty() ? "{}" : values.toString();
  }
}
