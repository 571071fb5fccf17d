package io.pgring.admin.show;

import io.pgring.relay.RelayStage;
import io.pgring.session.PinCause;
import io.pgring.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** SHOW PINS: a row for each client that keeps its server connection; made on the lane's thread. */
final class PinRows {
  static final List<Column> COLUMNS =
      Column.list(
          """
          user:s database:s addr:s application_name:s cause:s age:i idle:i ptr:s link:s
          remote_pid:i id:i
          """);

  private PinRows() {}

  /** The pinned clients of a lane. */
  static List<Object[]> of(RelayStage relay) {
    List<Object[]> rows = new ArrayList<>();
    for (Session session : relay.sessions()) {
      if (session != null && session.server != null && session.pins().any()) {
        rows.add(row(session, relay.nowNs()));
      }
    }
    return rows;
  }

  private static Object[] row(Session session, long nowNs) {
    return new Object[] {
      session.userName(),
      session.databaseName(),
      session.client().channel().remote(),
      session.applicationName(),
      PinCause.titles(session.pins().causes()),
      (int) TimeUnit.NANOSECONDS.toSeconds(nowNs - session.pins().sinceNs()),
      (int) TimeUnit.NANOSECONDS.toSeconds(nowNs - session.activeNs),
      "0x" + Long.toHexString(session.id),
      "0x" + Long.toHexString(session.server.id),
      session.server.processId,
      (int) session.id
    };
  }
}
