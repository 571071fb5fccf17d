package io.pgring.lane;

import io.pgring.protocol.BackendEncoder;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.FrontendMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.ExpandableArrayBuffer;

/** Messages as bytes, and bytes as readable text. */
final class Wire {
  private static final int HEADER_BYTES = 5;

  private Wire() {}

  private interface Encoder {
    int encode(ExpandableArrayBuffer buffer);
  }

  private static byte[] bytes(Encoder encoder) {
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    byte[] bytes = new byte[encoder.encode(buffer)];
    buffer.getBytes(0, bytes);
    return bytes;
  }

  static byte[] join(byte[]... messages) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] message : messages) {
      all.writeBytes(message);
    }
    return all.toByteArray();
  }

  static byte[] message(char type, byte[] body) {
    return ByteBuffer.allocate(HEADER_BYTES + body.length)
        .put((byte) type)
        .putInt(4 + body.length)
        .put(body)
        .array();
  }

  // --- from clients

  static byte[] startup(String user, String database) {
    return bytes(
        b ->
            FrontendEncoder.startup(
                b, 0, FrontendMessage.PROTOCOL_3_0, "user", user, "database", database));
  }

  static byte[] query(String sql) {
    return bytes(b -> FrontendEncoder.query(b, 0, sql));
  }

  static byte[] parse(String name, String sql) {
    return bytes(b -> FrontendEncoder.parse(b, 0, name, sql));
  }

  static byte[] bind(String statement) {
    return bytes(b -> FrontendEncoder.bind(b, 0, "", statement));
  }

  static byte[] execute() {
    return bytes(b -> FrontendEncoder.execute(b, 0, "", 0));
  }

  static byte[] closeStatement(String name) {
    return bytes(
        b -> FrontendEncoder.close(b, 0, (byte) 'S', name.getBytes(StandardCharsets.UTF_8)));
  }

  static byte[] sync() {
    return bytes(b -> FrontendEncoder.sync(b, 0));
  }

  static byte[] flush() {
    return bytes(b -> FrontendEncoder.flush(b, 0));
  }

  static byte[] terminate() {
    return bytes(b -> FrontendEncoder.terminate(b, 0));
  }

  static byte[] copyData(String line) {
    return message('d', line.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] copyDone() {
    return message('c', new byte[0]);
  }

  // --- from servers

  /** What a server says when it has let somebody in without a password. */
  static byte[] welcome(int processId) {
    return join(
        bytes(b -> BackendEncoder.authenticationOk(b, 0)),
        bytes(b -> BackendEncoder.parameterStatus(b, 0, "server_version", "18.0")),
        bytes(b -> BackendEncoder.backendKeyData(b, 0, processId, new byte[] {1, 2, 3, 4})),
        ready('I'));
  }

  static byte[] ready(char status) {
    return bytes(b -> BackendEncoder.readyForQuery(b, 0, (byte) status));
  }

  static byte[] complete(String tag) {
    return bytes(b -> BackendEncoder.commandComplete(b, 0, tag));
  }

  static byte[] row(String value) {
    return bytes(b -> BackendEncoder.dataRow(b, 0, value));
  }

  static byte[] error(String severity, String sqlState) {
    return bytes(b -> BackendEncoder.errorResponse(b, 0, severity, sqlState, "no", null, null));
  }

  /** A message without a body: {@code 1} ParseComplete, {@code 2} BindComplete and so on. */
  static byte[] plain(char type) {
    return message(type, new byte[0]);
  }

  static byte[] copyInResponse() {
    return message('G', new byte[] {0, 0, 0});
  }

  // --- readable

  /** Length of the first message that is complete in {@code bytes[offset, end)}, or 0. */
  static int messageBytes(byte[] bytes, int offset, int end) {
    if (end - offset < HEADER_BYTES) {
      return 0;
    }
    int length = 1 + ByteBuffer.wrap(bytes).getInt(offset + 1);
    return length <= end - offset ? length : 0;
  }

  /**
   * A message from a server: its type and what matters in it, {@code C[SELECT 1]}, {@code
   * E[57014]}, {@code Z[I]}, {@code D[5]} for the length of a row.
   */
  static String fromServer(byte[] bytes, int offset, int length) {
    char type = (char) bytes[offset];
    String body = text(bytes, offset, length);
    return switch (type) {
      case 'C' -> "C[" + body.substring(0, body.length() - 1) + "]";
      case 'Z' -> "Z[" + body + "]";
      case 'E' -> "E[" + field(body, 'C') + "]";
      case 'D' -> "D[" + (length - HEADER_BYTES) + "]";
      default -> String.valueOf(type);
    };
  }

  /**
   * A message from a client: {@code Q[select 1]}, {@code P[name]}, {@code B[statement]}, {@code
   * d[5]}.
   */
  static String fromClient(byte[] bytes, int offset, int length) {
    char type = (char) bytes[offset];
    String body = text(bytes, offset, length);
    return switch (type) {
      case 'Q' ->
          "Q[" + (body.length() > 100 ? body.length() : body.substring(0, body.length() - 1)) + "]";
      case 'P' -> "P[" + body.substring(0, body.indexOf(0)) + "]";
      case 'B' -> "B[" + body.substring(1, body.indexOf(0, 1)) + "]";
      case 'C' -> "C[" + body.substring(1, body.indexOf(0)) + "]";
      case 'd' -> "d[" + (length - HEADER_BYTES) + "]";
      default -> String.valueOf(type);
    };
  }

  private static String text(byte[] bytes, int offset, int length) {
    return new String(
        bytes, offset + HEADER_BYTES, length - HEADER_BYTES, StandardCharsets.ISO_8859_1);
  }

  private static String field(String body, char code) {
    for (String field : body.split("\0")) {
      if (field.charAt(0) == code) {
        return field.substring(1);
      }
    }
    return "";
  }
}
