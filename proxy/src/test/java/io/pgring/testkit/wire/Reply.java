package io.pgring.testkit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One message received from the server, or the end of the connection. Immutable by convention (the
 * body is not copied); any thread.
 */
public final class Reply {
  /** Pseudo type of the end of the connection; no message has it. */
  public static final char END = 0;

  private final char type;
  private final byte[] body;

  Reply(char type, byte[] body) {
    this.type = type;
    this.body = body;
  }

  public char type() {
    return type;
  }

  /** What follows the length. */
  public byte[] body() {
    return body;
  }

  /** The values of a DataRow as text, {@code null} for NULL. */
  public List<String> values() {
    expect('D');
    ByteBuffer in = ByteBuffer.wrap(body);
    int count = in.getShort();
    List<String> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = in.getInt();
      values.add(length < 0 ? null : text(in, length));
    }
    return values;
  }

  /** The fields of an ErrorResponse or NoticeResponse by their code. */
  public Map<Character, String> fields() {
    if (type != 'N') {
      expect('E');
    }
    Map<Character, String> fields = new LinkedHashMap<>();
    ByteBuffer in = ByteBuffer.wrap(body);
    for (char code = (char) in.get(); code != 0; code = (char) in.get()) {
      fields.put(code, cString(in));
    }
    return fields;
  }

  /** The SQLSTATE of an ErrorResponse or NoticeResponse. */
  public String sqlState() {
    return fields().get('C');
  }

  /** The zero-terminated strings of the body from an offset in bytes. */
  List<String> strings(int offset) {
    ByteBuffer in = ByteBuffer.wrap(body).position(offset);
    List<String> strings = new ArrayList<>();
    while (in.hasRemaining()) {
      strings.add(cString(in));
    }
    return strings;
  }

  @Override
  public String toString() {
    return Trace.show(List.of(this));
  }

  static String cString(ByteBuffer in) {
    int start = in.position();
    int end = start;
    while (in.get(end) != 0) {
      end++;
    }
    String text = text(in, end - start);
    in.get();
    return text;
  }

  private static String text(ByteBuffer in, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }

  private void expect(char wanted) {
    if (type != wanted) {
      throw new IllegalStateException("not a message of type " + wanted + ": " + this);
    }
  }
}
