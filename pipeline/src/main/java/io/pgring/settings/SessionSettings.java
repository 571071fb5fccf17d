package io.pgring.settings;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The settings in which a client, or a server connection, differs from a fresh login. Immutable;
 * equal contents are the same object, see {@link SettingsStore}. Any thread.
 */
public final class SessionSettings {
  private static final int MAX_CACHED_CHANGES = 256;

  private final Map<String, String> values;
  private final Map<SessionSettings, SettingsChange> changesFrom = new ConcurrentHashMap<>();
  private volatile boolean accepted;

  SessionSettings(Map<String, String> values) {
    this.values = new TreeMap<>(values);
  }

  /** The value of a setting, or null when it is that of a fresh login. */
  public String value(String name) {
    return values.get(name);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Names and values, in the order of the names. */
  public Map<String, String> values() {
    return Map.copyOf(values);
  }

  /**
   * True once a server has accepted exactly these settings: they can be sent ahead of a request
   * without waiting.
   */
  public boolean isAccepted() {
    return accepted;
  }

  /** Notes that a server has accepted, or reported, these settings. */
  public SessionSettings accepted() {
    accepted = true;
    return this;
  }

  Map<String, String> sorted() {
    return values;
  }

  /**
   * What makes these settings of others. Made once for each pair; the messages are then only
   * copied.
   *
   * @param defaults values of a fresh login as the server reported them
   */
  public SettingsChange changeFrom(SessionSettings others, ReportedSettings defaults) {
    SettingsChange change = changesFrom.get(others);
    if (change == null || change.defaults() != defaults) {
      change = SettingsChange.between(others, this, defaults);
      if (changesFrom.size() >= MAX_CACHED_CHANGES) {
        changesFrom.clear();
      }
      changesFrom.put(others, change);
    }
    return change;
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
