package io.pgring.admin.show;

import io.pgring.admin.show.StatsPeriods.Average;
import io.pgring.admin.show.Traffic.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * SHOW STATS and its two halves: a row for each database, in the order and with the names of
 * PgBouncer 1.25, which drops the prefixes in the halves.
 */
final class StatsRows {
  private static final String TOTALS =
      """
      total_server_assignment_count:N total_xact_count:N total_query_count:N total_received:N
      total_sent:N total_xact_time:N total_query_time:N total_wait_time:N
      total_client_parse_count:N total_server_parse_count:N total_bind_count:N
      """;
  private static final String AVERAGES =
      """
      avg_server_assignment_count:N avg_xact_count:N avg_query_count:N avg_recv:N avg_sent:N
      avg_xact_time:N avg_query_time:N avg_wait_time:N
      avg_client_parse_count:N avg_server_parse_count:N avg_bind_count:N
      """;
  static final List<Column> COLUMNS = Column.list("database:s " + TOTALS + AVERAGES);
  static final List<Column> TOTALS_COLUMNS =
      Column.list(
          """
          database:s server_assignment_count:N xact_count:N query_count:N bytes_received:N
          bytes_sent:N xact_time:N query_time:N wait_time:N client_parse_count:N
          server_parse_count:N bind_count:N
          """);
  static final List<Column> AVERAGES_COLUMNS =
      Column.list(
          """
          database:s server_assignment_count:N xact_count:N query_count:N bytes_received:N
          bytes_sent:N xact_time:N query_time:N wait_time:N avg_client_parse_count:N
          avg_server_parse_count:N avg_bind_count:N
          """);

  private StatsRows() {}

  static List<Object[]> rows(
      List<PoolSample> pools, StatsPeriods periods, boolean totals, boolean averages, long nowNs) {
    List<Object[]> rows = new ArrayList<>();
    for (Map.Entry<String, Traffic> database : StatsPeriods.byDatabase(pools).entrySet()) {
      List<Object> row = new ArrayList<>();
      row.add(database.getKey());
      if (totals) {
        addTotals(row, database.getValue());
      }
      if (averages) {
        addAverages(row, periods.average(database.getKey(), database.getValue(), nowNs));
      }
      rows.add(row.toArray());
    }
    return rows;
  }

  private static void addTotals(List<Object> row, Traffic traffic) {
    for (Counter counter : Counter.values()) {
      boolean time =
          counter == Counter.TRANSACTION_TIME
              || counter == Counter.QUERY_TIME
              || counter == Counter.WAIT_TIME;
      row.add(time ? traffic.of(counter) / 1000 : traffic.of(counter));
    }
  }

  private static void addAverages(List<Object> row, Average average) {
    row.add(average.perSecond(Counter.SERVER_ASSIGNMENTS));
    row.add(average.perSecond(Counter.TRANSACTIONS));
    row.add(average.perSecond(Counter.QUERIES));
    row.add(average.perSecond(Counter.RECEIVED_BYTES));
    row.add(average.perSecond(Counter.SENT_BYTES));
    row.add(average.usPer(Counter.TRANSACTION_TIME, Counter.TRANSACTIONS));
    row.add(average.usPer(Counter.QUERY_TIME, Counter.QUERIES));
    row.add(average.usPer(Counter.WAIT_TIME, Counter.SERVER_ASSIGNMENTS));
    row.add(average.perSecond(Counter.CLIENT_PARSES));
    row.add(average.perSecond(Counter.SERVER_PARSES));
    row.add(average.perSecond(Counter.BINDS));
  }
}
