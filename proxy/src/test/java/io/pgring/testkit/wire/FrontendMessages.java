package io.pgring.testkit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Builders of the messages a client sends, right or deliberately wrong ones. Each returns the bytes
 * as they go on the wire; stateless, any thread.
 */
public final class FrontendMessages {
  public static final int PROTOCOL_3_0 = 3 << 16;
  public static final int PROTOCOL_3_2 = 3 << 16 | 2;

  private static final int CANCEL_REQUEST_CODE = 80877102;
  private static final int NULL_LENGTH = -1;

  private FrontendMessages() {}

  /** A typed message with the right length in front of any body. */
  public static byte[] message(char type, byte[]... body) {
    byte[] content = concat(body);
    return concat(new byte[] {(byte) type}, int32(content.length + 4), content);
  }

  public static byte[] query(String sql) {
    return message('Q', cString(sql));
  }

  public static byte[] parse(String statement, String sql, int... parameterTypes) {
    byte[][] types = new byte[parameterTypes.length][];
    for (int i = 0; i < types.length; i++) {
      types[i] = int32(parameterTypes[i]);
    }
    return message(
        'P', cString(statement), cString(sql), int16(parameterTypes.length), concat(types));
  }

  /** Bind of the unnamed statement to the unnamed portal, without parameters. */
  public static byte[] bind() {
    return bind("", "");
  }

  /** Bind with parameters in text format and results in text format. */
  public static byte[] bind(String portal, String statement, Object... parameters) {
    byte[][] values = new byte[parameters.length][];
    for (int i = 0; i < values.length; i++) {
      values[i] = textValue(parameters[i]);
    }
    return message(
        'B',
        cString(portal),
        cString(statement),
        int16(0),
        int16(parameters.length),
        concat(values),
        int16(0));
  }

  public static byte[] describeStatement(String statement) {
    return message('D', new byte[] {'S'}, cString(statement));
  }

  public static byte[] describePortal(String portal) {
    return message('D', new byte[] {'P'}, cString(portal));
  }

  /** Execute of the unnamed portal without a row limit. */
  public static byte[] execute() {
    return execute("", 0);
  }

  public static byte[] execute(String portal, int maxRows) {
    return message('E', cString(portal), int32(maxRows));
  }

  public static byte[] closeStatement(String statement) {
    return message('C', new byte[] {'S'}, cString(statement));
  }

  public static byte[] closePortal(String portal) {
    return message('C', new byte[] {'P'}, cString(portal));
  }

  public static byte[] sync() {
    return message('S');
  }

  public static byte[] flush() {
    return message('H');
  }

  public static byte[] terminate() {
    return message('X');
  }

  public static byte[] copyData(String rows) {
    return message('d', rows.getBytes(UTF_8));
  }

  public static byte[] copyDone() {
    return message('c');
  }

  public static byte[] copyFail(String reason) {
    return message('f', cString(reason));
  }

  /** FunctionCall with arguments and result in text format. */
  public static byte[] functionCall(int functionOid, Object... arguments) {
    byte[][] values = new byte[arguments.length][];
    for (int i = 0; i < values.length; i++) {
      values[i] = textValue(arguments[i]);
    }
    return message(
        'F', int32(functionOid), int16(0), int16(arguments.length), concat(values), int16(0));
  }

  /** Parse, Bind and Execute of one statement through the unnamed names, without Sync. */
  public static byte[] extended(String sql) {
    return concat(parse("", sql), bind(), execute());
  }

  /** StartupMessage of protocol 3.0; names and values alternate. */
  public static byte[] startup(String... namesAndValues) {
    return startup(PROTOCOL_3_0, namesAndValues);
  }

  public static byte[] startup(int protocol, String... namesAndValues) {
    byte[][] strings = new byte[namesAndValues.length][];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = cString(namesAndValues[i]);
    }
    return untyped(int32(protocol), concat(strings), new byte[1]);
  }

  /** CancelRequest with the body of a BackendKeyData message (process id and secret). */
  public static byte[] cancelRequest(byte[] keyData) {
    return untyped(int32(CANCEL_REQUEST_CODE), keyData);
  }

  /** A message without a type byte, as sent first on a connection, with the right length. */
  public static byte[] untyped(byte[]... body) {
    byte[] content = concat(body);
    return concat(int32(content.length + 4), content);
  }

  public static byte[] int32(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  public static byte[] int16(int value) {
    return ByteBuffer.allocate(2).putShort((short) value).array();
  }

  public static byte[] cString(String text) {
    return concat(text.getBytes(UTF_8), new byte[1]);
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  /** The same bytes {@code times} times in a row. */
  public static byte[] repeat(int times, byte[] bytes) {
    byte[][] parts = new byte[times][];
    Arrays.fill(parts, bytes);
    return concat(parts);
  }

  private static byte[] textValue(Object value) {
    if (value == null) {
      return int32(NULL_LENGTH);
    }
    byte[] text = value.toString().getBytes(UTF_8);
    return concat(int32(text.length), text);
  }
}
