package io.pgring.classify;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** PostgreSQL 15's own lexer and parser: the library libpg_query, where it is installed. */
final class PostgresParser {
  private static final String[] NAMES = {"libpg_query.so.1504.0", "pg_query"};

  private final Api api;

  private PostgresParser(Api api) {
    this.api = api;
  }

  /**
   * Loads the library.
   *
   * @return null where it is not installed
   */
  static PostgresParser load() {
    for (String name : NAMES) {
      try {
        return new PostgresParser(Native.load(name, Api.class));
      } catch (UnsatisfiedLinkError e) {
        // The next name, then.
      }
    }
    return null;
  }

  /** Indexes of where tokens begin and end, in pairs; null when the lexer refuses the text. */
  List<Integer> tokens(byte[] text) {
    ScanResult result = api.pg_query_scan(terminated(text));
    try {
      return result.error == null
          ? decodeTokens(result.data.getByteArray(0, (int) result.length))
          : null;
    } finally {
      api.pg_query_free_scan_result(result);
    }
  }

  /** The parse tree in JSON; null when the parser refuses the text. */
  String tree(byte[] text) {
    ParseResult result = api.pg_query_parse(terminated(text));
    try {
      return result.error == null ? result.tree.getString(0, "UTF-8") : null;
    } finally {
      api.pg_query_free_parse_result(result);
    }
  }

  /** Indexes of where statements end; null when the parser refuses the text. */
  List<Integer> statementEnds(byte[] text) {
    SplitResult result = api.pg_query_split_with_parser(terminated(text));
    try {
      if (result.error != null) {
        return null;
      }
      List<Integer> ends = new ArrayList<>();
      for (int i = 0; i < result.count; i++) {
        Pointer statement = result.statements.getPointer((long) i * Native.POINTER_SIZE);
        ends.add(statement.getInt(0) + statement.getInt(4));
      }
      return ends;
    } finally {
      api.pg_query_free_split_result(result);
    }
  }

  private static byte[] terminated(byte[] text) {
    return Arrays.copyOf(text, text.length + 1);
  }

  /**
   * Reads the fields 1 (start), 2 (end) and 4 (token) of each ScanToken in the protobuf message;
   * leaves out comments.
   */
  private static List<Integer> decodeTokens(byte[] message) {
    List<Integer> tokens = new ArrayList<>();
    Varints outer = new Varints(message, 0, message.length);
    while (outer.more()) {
      int field = outer.next();
      int value = outer.next();
      if (field == (2 << 3 | 2)) {
        decodeToken(new Varints(message, outer.position, outer.position + value), tokens);
        outer.position += value;
      }
    }
    return tokens;
  }

  private static void decodeToken(Varints fields, List<Integer> tokens) {
    int start = 0;
    int end = 0;
    int token = 0;
    while (fields.more()) {
      int field = fields.next() >> 3;
      int value = fields.next();
      start = field == 1 ? value : start;
      end = field == 2 ? value : end;
      token = field == 4 ? value : token;
    }
    boolean comment = token == 275 || token == 276;
    if (!comment) {
      tokens.add(start);
      tokens.add(end);
    }
  }

  private static final class Varints {
    private final byte[] bytes;
    private final int limit;
    private int position;

    Varints(byte[] bytes, int position, int limit) {
      this.bytes = bytes;
      this.position = position;
      this.limit = limit;
    }

    boolean more() {
      return position < limit;
    }

    int next() {
      int value = 0;
      int shift = 0;
      byte b;
      do {
        b = bytes[position++];
        value |= (b & 0x7F) << shift;
        shift += 7;
      } while (b < 0);
      return value;
    }
  }

  /** The functions of pg_query.h that are used here, by their C names. */
  interface Api extends Library {
    ScanResult pg_query_scan(byte[] text);

    ParseResult pg_query_parse(byte[] text);

    SplitResult pg_query_split_with_parser(byte[] text);

    void pg_query_free_scan_result(ScanResult result);

    void pg_query_free_parse_result(ParseResult result);

    void pg_query_free_split_result(SplitResult result);
  }

  /** PgQueryScanResult. */
  @Structure.FieldOrder({"length", "data", "stderr", "error"})
  public static final class ScanResult extends Structure implements Structure.ByValue {
    public long length;
    public Pointer data;
    public Pointer stderr;
    public Pointer error;
  }

  /** PgQueryParseResult. */
  @Structure.FieldOrder({"tree", "stderr", "error"})
  public static final class ParseResult extends Structure implements Structure.ByValue {
    public Pointer tree;
    public Pointer stderr;
    public Pointer error;
  }

  /** PgQuerySplitResult. */
  @Structure.FieldOrder({"statements", "count", "stderr", "error"})
  public static final class SplitResult extends Structure implements Structure.ByValue {
    public Pointer statements;
    public int count;
    public Pointer stderr;
    public Pointer error;
  }
}
