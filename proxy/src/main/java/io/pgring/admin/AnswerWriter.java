package io.pgring.admin;

import io.pgring.admin.show.Column;
import io.pgring.protocol.BackendEncoder;
import io.pgring.relay.Console.Reply;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/**
 * Gathers the messages of an answer and sends them together. Part of one session, on its thread.
 */
final class AnswerWriter {
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private int length;

  void parseComplete() {
    length += BackendEncoder.parseComplete(buffer, length);
  }

  void bindComplete() {
    length += BackendEncoder.bindComplete(buffer, length);
  }

  void closeComplete() {
    length += BackendEncoder.closeComplete(buffer, length);
  }

  void portalSuspended() {
    length += BackendEncoder.portalSuspended(buffer, length);
  }

  void emptyQuery() {
    length += BackendEncoder.emptyQueryResponse(buffer, length);
  }

  void noParameters() {
    length += BackendEncoder.parameterDescription(buffer, length);
  }

  void commandComplete(String tag) {
    length += BackendEncoder.commandComplete(buffer, length, tag);
  }

  void ready(byte status) {
    length += BackendEncoder.readyForQuery(buffer, length, status);
  }

  void notice(String detail) {
    length +=
        BackendEncoder.noticeResponse(
            buffer, length, "NOTICE", "00000", "Console usage", detail, null);
  }

  void error(ConsoleError error) {
    length +=
        BackendEncoder.errorResponse(
            buffer, length, "ERROR", error.sqlState(), error.getMessage(), null, error.hint());
  }

  /**
   * RowDescription, or NoData.
   *
   * @param columns null when there are no rows
   */
  void columns(List<Column> columns, Formats formats) {
    if (columns == null) {
      length += BackendEncoder.noData(buffer, length);
      return;
    }
    String[] names = columns.stream().map(Column::name).toArray(String[]::new);
    int[] types = columns.stream().mapToInt(Column::typeOid).toArray();
    int[] codes = new int[names.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = formats.isBinary(i) ? 1 : 0;
    }
    length += BackendEncoder.rowDescription(buffer, length, names, types, codes);
  }

  void row(List<Column> columns, Object[] values, Formats formats) {
    byte[][] encoded = new byte[values.length][];
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        encoded[i] = Formats.encode(values[i], columns.get(i).typeOid(), formats.isBinary(i));
      }
    }
    length += BackendEncoder.dataRow(buffer, length, encoded);
  }

  /** Sends what was gathered. */
  void sendTo(Reply reply) {
    if (length > 0) {
      reply.send(buffer, 0, length);
      length = 0;
    }
  }
}
