package io.pgring.settings;

import io.pgring.protocol.BackendMessage;
import io.pgring.protocol.MessageLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The ParameterStatus messages of a login to a server: what a client of that pool is welcomed with,
 * and what a reported setting goes back to. Immutable. Any thread.
 */
public final class ReportedSettings {
  private final byte[] messages;
  private final Map<String, String> values = new TreeMap<>();

  /**
   * @param messages whole ParameterStatus messages, one behind the other
   */
  public ReportedSettings(byte[] messages) {
    this.messages = messages;
    UnsafeBuffer buffer = new UnsafeBuffer(messages);
    int offset = 0;
    while (offset < messages.length) {
      int length = buffer.getInt(offset + 1, ByteOrder.BIG_ENDIAN) + 1;
      int end = offset + length;
      int name = offset + MessageLayout.HEADER_LENGTH;
      int value = MessageLayout.stringEnd(buffer, name, end);
      if (buffer.getByte(offset) == BackendMessage.PARAMETER_STATUS && value > 0) {
        values.put(
            buffer.getStringWithoutLengthUtf8(name, value - 1 - name),
            buffer.getStringWithoutLengthUtf8(value, end - 1 - value));
      }
      offset = end;
    }
  }

  /** The messages as they go to a client; not to be changed. */
  public byte[] messages() {
    return messages;
  }

  /** The value of a fresh login, or null for a setting that the server does not report. */
  public String value(String name) {
    return values.get(name);
  }

  /** The reported name that a client may have written in other letters, or the name itself. */
  public String canonicalName(String name) {
    for (String reported : values.keySet()) {
      if (reported.equalsIgnoreCase(name)) {
        return reported;
      }
    }
    return name;
  }
}
