package io.pgring.testkit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The part of the proxy's configuration that scenarios vary, written as the YAML an operator would
 * write. Mutable, used by the one thread that sets a scenario up.
 */
final class ProxySettings {
  private final Map<String, String> top = new LinkedHashMap<>();
  private final Map<String, String> database = new LinkedHashMap<>();
  private final Map<String, String> users = new LinkedHashMap<>();

  ProxySettings(Variant variant) {
    top.put("threading", variant.threading());
    top.put("lanes", String.valueOf(variant.lanes()));
    database.put("pool_mode", "transaction");
    database.put("pool_size", "2");
    users.put("app", "app");
  }

  void option(String name, String value) {
    top.put(name, value);
  }

  void databaseOption(String name, String value) {
    database.put(name, value);
  }

  void user(String name, String secret) {
    users.put(name, secret);
  }

  /** The whole file, for a server on a port of this machine. */
  String yaml(int serverPort) {
    database.put("primary", quoted("127.0.0.1:" + serverPort));
    return "listen: [\"127.0.0.1:0\"]\n"
        + lines(top, "")
        + "databases:\n  \"*\":\n"
        + lines(database, "    ")
        + "users:\n"
        + users.entrySet().stream()
            .map(user -> "  " + user.getKey() + ": { password: " + quoted(user.getValue()) + " }\n")
            .collect(Collectors.joining());
  }

  private static String lines(Map<String, String> options, String indent) {
    return options.entrySet().stream()
        .map(option -> indent + option.getKey() + ": " + option.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** A double-quoted scalar; characters beyond ASCII go as escapes so that the file is plain. */
  private static String quoted(String value) {
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toCharArray()) {
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
