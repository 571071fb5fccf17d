package io.pgring.bench.report;

import java.util.Map;

/** Writes one JSON value on one line. Numbers that JSON cannot hold become null. Stateless. */
final class JsonLine {
  private JsonLine() {}

  /**
   * @param value a map with string keys, an iterable, a number, a boolean, a string or null
   * @return its JSON text, without a line break
   */
  static String of(Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, Object value) {
    if (value instanceof Map<?, ?> map) {
      appendMap(text, map);
    } else if (value instanceof Iterable<?> items) {
      appendAll(text, items);
    } else if (value instanceof Double number) {
      // Four significant places after the point are more than any figure here deserves.
      text.append(
          Double.isFinite(number)
              ? Double.toString(Math.round(number * 10_000.0) / 10_000.0)
              : "null");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      appendString(text, value.toString());
    }
  }

  private static void appendMap(StringBuilder text, Map<?, ?> map) {
    char separator = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(separator);
      appendString(text, entry.getKey().toString());
      text.append(':');
      append(text, entry.getValue());
      separator = ',';
    }
    text.append(map.isEmpty() ? "{}" : "}");
  }

  private static void appendAll(StringBuilder text, Iterable<?> items) {
    text.append('[');
    String separator = "";
    for (Object item : items) {
      text.append(separator);
      append(text, item);
      separator = ",";
    }
    text.append(']');
  }

  private static void appendString(StringBuilder text, String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
