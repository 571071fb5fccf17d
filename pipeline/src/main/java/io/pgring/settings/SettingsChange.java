package io.pgring.settings;

import io.pgring.protocol.FrontendMessage;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.ExpandableArrayBuffer;

/**
 * The messages that turn one set of settings into another: one Parse/Bind/Execute with set_config
 * calls, one more for each setting that only RESET brings back, and a Sync. Values travel as
 * parameters, so that no quoting depends on a setting. Immutable. Any thread.
 */
public final class SettingsChange {
  private final ReportedSettings defaults;
  private final byte[] messages;
  private final int statements;

  private SettingsChange(ReportedSettings defaults, byte[] messages, int statements) {
    this.defaults = defaults;
    this.messages = messages;
    this.statements = statements;
  }

  static SettingsChange between(
      SessionSettings from, SessionSettings to, ReportedSettings defaults) {
    List<String> assigned = new ArrayList<>();
    List<String> reset = new ArrayList<>();
    for (Map.Entry<String, String> wanted : to.sorted().entrySet()) {
      if (!wanted.getValue().equals(from.value(wanted.getKey()))) {
        assigned.add(wanted.getKey());
        assigned.add(wanted.getValue());
      }
    }
    for (String held : from.sorted().keySet()) {
      if (to.value(held) == null) {
        if (defaults.value(held) == null) {
          reset.add(held);
        } else {
          assigned.add(held);
          assigned.add(defaults.value(held));
        }
      }
    }
    Writer writer = new Writer();
    if (!assigned.isEmpty()) {
      StringBuilder sql = new StringBuilder("select ");
      for (int i = 1; i <= assigned.size(); i += 2) {
        sql.append(i == 1 ? "" : ", ")
            .append("pg_catalog.set_config($")
            .append(i)
            .append(", $")
            .append(i + 1)
            .append(", false)");
      }
      writer.statement(sql.toString(), assigned);
    }
    reset.forEach(name -> writer.statement("reset " + name, List.of()));
    writer.empty(FrontendMessage.SYNC);
    byte[] messages = new byte[writer.length];
    writer.buffer.getBytes(0, messages);
    return new SettingsChange(defaults, messages, (assigned.isEmpty() ? 0 : 1) + reset.size());
  }

  ReportedSettings defaults() {
    return defaults;
  }

  /** Whole messages for the server, the last of them a Sync; not to be changed. */
  public byte[] messages() {
    return messages;
  }

  /** How often Parse, Bind and Execute are among them. */
  public int statements() {
    return statements;
  }

  private static final class Writer {
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private int length;
    private int start;

    void statement(String sql, List<String> parameters) {
      begin(FrontendMessage.PARSE);
      string("");
      string(sql);
      int16(0);
      end();
      begin(FrontendMessage.BIND);
      string("");
      string("");
      int16(0);
      int16(parameters.size());
      for (String parameter : parameters) {
        byte[] bytes = parameter.getBytes(StandardCharsets.UTF_8);
        buffer.putInt(length, bytes.length, ByteOrder.BIG_ENDIAN);
        buffer.putBytes(length + Integer.BYTES, bytes);
        length += Integer.BYTES + bytes.length;
      }
      int16(0);
      end();
      begin(FrontendMessage.EXECUTE);
      string("");
      buffer.putInt(length, 0, ByteOrder.BIG_ENDIAN);
      length += Integer.BYTES;
      end();
    }

    void empty(byte type) {
      begin(type);
      end();
    }

    private void begin(byte type) {
      start = length;
      buffer.putByte(length, type);
      length += 5;
    }

    private void end() {
      buffer.putInt(start + 1, length - start - 1, ByteOrder.BIG_ENDIAN);
    }

    private void string(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      buffer.putBytes(length, bytes);
      buffer.putByte(length + bytes.length, (byte) 0);
      length += bytes.length + 1;
    }

    private void int16(int value) {
      buffer.putShort(length, (short) value, ByteOrder.BIG_ENDIAN);
      length += Short.BYTES;
    }
  }
}
