package io.pgring.settings;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the settings of a startup packet: its parameters, and those in {@code options}, of which
 * only the forms {@code -c name=value} and {@code --name=value} are settings. One login.
 */
public final class StartupSettings {
  private final Map<String, String> values = new TreeMap<>();
  private final Collection<String> ignored;
  private String fault;

  /**
   * @param ignored names that are accepted and not applied
   */
  public StartupSettings(Collection<String> ignored) {
    this.ignored = ignored;
  }

  /** Adds one parameter of the packet. */
  public void add(String name, String value) {
    if (name.equals("options") && !ignored.contains("options")) {
      addOptions(value);
    } else {
      put(name, value);
    }
  }

  /** Why a parameter cannot be applied, or null. */
  public String fault() {
    return fault;
  }

  /** Names, reported ones in the server's letters, and values. */
  public Map<String, String> values(ReportedSettings reported) {
    Map<String, String> canonical = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          String known = reported.canonicalName(name);
          if (!value.equals(reported.value(known))) {
            canonical.put(known, value);
          }
        });
    return canonical;
  }

  private void put(String name, String value) {
    if (ignored.contains(name)) {
      return;
    }
    if (!isName(name)) {
      fault = "unrecognized configuration parameter \"" + name + "\"";
    } else {
      values.put(name.toLowerCase(Locale.ROOT), value);
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.chars()
            .allMatch(
                c ->
                    c == '_'
                        || c == '.'
                        || c >= 'a' && c <= 'z'
                        || c >= 'A' && c <= 'Z'
                        || c >= '0' && c <= '9');
  }

  private void addOptions(String options) {
    StringBuilder word = new StringBuilder();
    boolean afterC = false;
    for (int i = 0; i <= options.length(); i++) {
      char c = i == options.length() ? ' ' : options.charAt(i);
      if (c == '\\' && i + 1 < options.length()) {
        word.append(options.charAt(++i));
      } else if (!Character.isWhitespace(c)) {
        word.append(c);
      } else if (word.length() > 0) {
        afterC = addOption(word.toString(), afterC);
        word.setLength(0);
      }
    }
    if (afterC) {
      fault = "-c requires a value";
    }
  }

  private boolean addOption(String word, boolean afterC) {
    String assignment = null;
    if (afterC) {
      assignment = word;
    } else if (word.equals("-c")) {
      return true;
    } else if (word.startsWith("-c")) {
      assignment = word.substring(2);
    } else if (word.startsWith("--")) {
      assignment = word.substring(2);
    }
    int equals = assignment == null ? -1 : assignment.indexOf('=');
    if (equals < 1) {
      fault = "invalid command-line argument for server process: " + word;
    } else {
      put(assignment.substring(0, equals).replace('-', '_'), assignment.substring(equals + 1));
    }
    return false;
  }
}
