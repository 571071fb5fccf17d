package io.pgring.admin.show;

import java.util.List;
import java.util.Locale;

/** What SHOW can show as a table. The columns of each are fixed, so that they can be described. */
public enum Report {
  CLIENTS(ConnectionRows.COLUMNS),
  CONFIG(SummaryRows.CONFIG_COLUMNS),
  DATABASES(SummaryRows.DATABASES_COLUMNS),
  LISTS(SummaryRows.LISTS_COLUMNS),
  PINS(PinRows.COLUMNS),
  POOLS(SummaryRows.POOLS_COLUMNS),
  SERVERS(ConnectionRows.COLUMNS),
  STATE(Column.list("key:s value:s")),
  STATS(StatsRows.COLUMNS),
  STATS_AVERAGES(StatsRows.AVERAGES_COLUMNS),
  STATS_TOTALS(StatsRows.TOTALS_COLUMNS),
  USERS(SummaryRows.USERS_COLUMNS),
  VERSION(Column.list("version:s"));

  private final List<Column> columns;

  Report(List<Column> columns) {
    this.columns = columns;
  }

  public List<Column> columns() {
    return columns;
  }

  /** The report of this name in any case; null when there is none. */
  public static Report named(String name) {
    for (Report report : values()) {
      if (report.name().equals(name.toUpperCase(Locale.ROOT))) {
        return report;
      }
    }
    return null;
  }
}
