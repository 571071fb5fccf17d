package io.pgring.testkit.wire;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes received messages as one line of text. Two notations: {@link #show} is short and meant to
 * be written down in a test as the expected answer; {@link #exact} contains every byte that matters
 * and is meant to be compared between two servers.
 *
 * <p>Both name a message by its type byte. {@code C[SELECT 1]} is a CommandComplete with its tag,
 * {@code D('1', None)} a DataRow, {@code E[ERROR 42P01 text]} and {@code N[...]} an error or
 * notice, {@code S[name=value]} a ParameterStatus, {@code A[channel:payload]} a notification,
 * {@code ZI}, {@code ZT} and {@code ZE} a ReadyForQuery, {@code EOF} the end of the connection.
 */
public final class Trace {
  private static final int FIRST_USER_OID = 16384;

  private Trace() {}

  /** The short notation, messages separated by blanks. */
  public static String show(List<Reply> replies) {
    return replies.stream().map(Trace::brief).collect(Collectors.joining(" "));
  }

  /** The complete notation, without what differs from one server or table to another (OIDs). */
  public static String exact(Reply reply) {
    return switch (reply.type()) {
      case 'E', 'N' -> reply.type() + new TreeMap<>(reply.fields()).toString();
      case 'T' -> "T" + rowDescription(reply);
      case 't' -> "t" + parameterTypes(reply);
      case 'A' -> brief(reply);
      case 'd', 'G', 'H', 'V', 'v' -> reply.type() + HexFormat.of().formatHex(reply.body());
      default -> brief(reply);
    };
  }

  private static String brief(Reply reply) {
    return switch (reply.type()) {
      case Reply.END -> "EOF";
      case 'E', 'N' -> reply.type() + "[" + error(reply) + "]";
      case 'C' -> "C[" + reply.strings(0).get(0) + "]";
      case 'Z' -> "Z" + (char) reply.body()[0];
      case 'S' -> "S[" + String.join("=", reply.strings(0)) + "]";
      case 'D' -> "D" + row(reply.values());
      case 'A' -> "A[" + String.join(":", reply.strings(4)) + "]";
      default -> String.valueOf(reply.type());
    };
  }

  private static String error(Reply reply) {
    var fields = reply.fields();
    return fields.get('S') + " " + fields.get('C') + " " + fields.get('M');
  }

  /** A row as a tuple: quoted strings, None for NULL, a comma behind a single value. */
  private static String row(List<String> values) {
    String joined = values.stream().map(Trace::quoted).collect(Collectors.joining(", "));
    return "(" + joined + (values.size() == 1 ? ",)" : ")");
  }

  private static String quoted(String value) {
    if (value == null) {
      return "None";
    }
    String escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
    return escaped.indexOf('\'') < 0 ? "'" + escaped + "'" : '"' + escaped + '"';
  }

  private static String rowDescription(Reply reply) {
    ByteBuffer in = ByteBuffer.wrap(reply.body());
    StringJoiner columns = new StringJoiner("; ", "[", "]");
    int count = in.getShort();
    for (int i = 0; i < count; i++) {
      String name = Reply.cString(in);
      columns.add(
          name
              + (in.getInt() == 0 ? " expression" : " table")
              + (" column " + in.getShort())
              + (" type " + typeOid(in.getInt()))
              + (" size " + in.getShort())
              + (" modifier " + in.getInt())
              + (" format " + in.getShort()));
    }
    return columns.toString();
  }

  private static String parameterTypes(Reply reply) {
    ByteBuffer in = ByteBuffer.wrap(reply.body());
    StringJoiner types = new StringJoiner(", ", "[", "]");
    int count = in.getShort();
    for (int i = 0; i < count; i++) {
      types.add(typeOid(in.getInt()));
    }
    return types.toString();
  }

  /** Types of users are numbered in the order of their creation; only built-in ones compare. */
  private static String typeOid(int oid) {
    return oid < FIRST_USER_OID ? String.valueOf(oid) : "user";
  }
}
