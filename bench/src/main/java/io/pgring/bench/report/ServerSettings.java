package io.pgring.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of a PostgreSQL that decide what its figures mean. Stateless. */
public final class ServerSettings {
  private static final List<String> NAMES =
      List.of(
          "server_version",
          "shared_buffers",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "max_connections",
          "wal_level");

  private ServerSettings() {}

  /**
   * @return a statement that yields NAME|VALUE rows
   */
  public static String statement() {
    return NAMES.stream()
        .map(name -> "'" + name + "'")
        .collect(
            Collectors.joining(
                ",",
                "select name, current_setting(name) from pg_settings where name in (",
                ") order by name"));
  }

  /**
   * @param rows the statement's result
   * @return the settings by name
   */
  public static Map<String, Object> parse(String rows) {
    Map<String, Object> settings = new LinkedHashMap<>();
    rows.lines()
        .filter(row -> row.indexOf('|') > 0)
        .forEach(
            row ->
                settings.put(
                    row.substring(0, row.indexOf('|')), row.substring(row.indexOf('|') + 1)));
    return settings;
  }
}
