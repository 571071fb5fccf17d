package io.pgring.settings;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;

/**
 * Makes {@link SessionSettings} unique by content. Shared by the lanes, guarded by its monitor;
 * used when a setting changes.
 */
public final class SettingsStore {
  /** No difference from a fresh login. */
  public static final SessionSettings NONE = new SessionSettings(Map.of()).accepted();

  /** No value of a server has this character. */
  private static final String UNKNOWN = "\0";

  private final Map<Map<String, String>, WeakReference<SessionSettings>> byContent =
      new WeakHashMap<>();

  /** The settings with these values. */
  public synchronized SessionSettings of(Map<String, String> values) {
    if (values.isEmpty()) {
      return NONE;
    }
    Map<String, String> key = new TreeMap<>(values);
    WeakReference<SessionSettings> known = byContent.get(key);
    SessionSettings settings = known == null ? null : known.get();
    if (settings == null) {
      settings = new SessionSettings(key);
      // The settings hold their own map, which is the key, for as long as somebody uses them.
      byContent.put(settings.sorted(), new WeakReference<>(settings));
    }
    return settings;
  }

  /**
   * The same settings with one changed as a server has reported; null takes it back to that of a
   * fresh login.
   */
  public SessionSettings with(SessionSettings settings, String name, String value) {
    Map<String, String> values = new TreeMap<>(settings.sorted());
    if (value == null) {
      values.remove(name);
    } else {
      values.put(name, value);
    }
    return of(values).accepted();
  }

  /**
   * The same settings where RESET has run and nobody knows of what, or whether it was rolled back:
   * the values that the server does not report match no others, so that the next change sends each
   * of them.
   */
  public SessionSettings doubtful(SessionSettings settings, ReportedSettings reported) {
    Map<String, String> values = new TreeMap<>(settings.sorted());
    values.replaceAll((name, value) -> reported.value(name) == null ? UNKNOWN : value);
    return of(values);
  }
}
