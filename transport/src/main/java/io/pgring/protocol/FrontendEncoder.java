package io.pgring.protocol;

import static java.nio.ByteOrder.BIG_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Writes whole messages as a client sends them. Stateless; any thread.
 *
 * <p>Each method writes one message at {@code offset} and answers its length in bytes. The caller
 * brings a buffer that is large enough. A message takes no more than 5 bytes of header (a startup
 * packet 8), its fixed fields as documented, its byte arrays, and for each string three bytes a
 * {@code char} and one NUL. A buffer that is too small is an {@link IndexOutOfBoundsException} of
 * Agrona's bounds check, and what is in it then is undefined. Text goes out as UTF-8; a NUL in a
 * {@code String} becomes a question mark, and byte arrays that become strings must not have one.
 */
public final class FrontendEncoder {
  private FrontendEncoder() {}

  /** StartupMessage with parameters as name, value, name, value. */
  public static int startup(
      MutableDirectBuffer buffer, int offset, int protocol, String... namesAndValues) {
    int next = beginStartup(buffer, offset, protocol);
    for (String text : namesAndValues) {
      next = MessageWriter.putString(buffer, next, text);
    }
    return endStartup(buffer, offset, MessageWriter.putByte(buffer, next, (byte) 0));
  }

  /** CancelRequest with the pid and key of a BackendKeyData; 12 bytes and the key. */
  public static int cancelRequest(MutableDirectBuffer buffer, int offset, int pid, byte[] key) {
    int body = beginStartup(buffer, offset, FrontendMessage.CANCEL_REQUEST);
    int next = MessageWriter.putInt(buffer, body, pid);
    return endStartup(buffer, offset, MessageWriter.putBytes(buffer, next, key));
  }

  /** SSLRequest; 8 bytes. */
  public static int sslRequest(MutableDirectBuffer buffer, int offset) {
    int end = beginStartup(buffer, offset, FrontendMessage.SSL_REQUEST);
    return endStartup(buffer, offset, end);
  }

  private static int beginStartup(MutableDirectBuffer buffer, int offset, int requestCode) {
    return MessageWriter.putInt(buffer, offset + Integer.BYTES, requestCode);
  }

  private static int endStartup(MutableDirectBuffer buffer, int offset, int end) {
    buffer.putInt(offset, end - offset, BIG_ENDIAN);
    return end - offset;
  }

  /** PasswordMessage: a clear password, or the text {@code md5} and 32 hexadecimal digits. */
  public static int password(MutableDirectBuffer buffer, int offset, byte[] password) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.PASSWORD);
    return MessageWriter.end(buffer, offset, MessageWriter.putString(buffer, body, password));
  }

  /** SASLInitialResponse; {@code data} is the first message of the mechanism's client. */
  public static int saslInitialResponse(
      MutableDirectBuffer buffer, int offset, String mechanism, byte[] data) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.PASSWORD);
    int next = MessageWriter.putString(buffer, body, mechanism);
    next = MessageWriter.putInt(buffer, next, data.length);
    return MessageWriter.end(buffer, offset, MessageWriter.putBytes(buffer, next, data));
  }

  /** SASLResponse. */
  public static int saslResponse(MutableDirectBuffer buffer, int offset, byte[] data) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.PASSWORD);
    return MessageWriter.end(buffer, offset, MessageWriter.putBytes(buffer, body, data));
  }

  /** Query. */
  public static int query(MutableDirectBuffer buffer, int offset, String sql) {
    return MessageWriter.text(buffer, offset, FrontendMessage.QUERY, sql);
  }

  /**
   * Parse; an empty name is the unnamed statement, a type OID of 0 leaves the type to the server.
   */
  public static int parse(
      MutableDirectBuffer buffer, int offset, String name, String sql, int... typeOids) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.PARSE);
    int next = MessageWriter.putString(buffer, body, name);
    next = MessageWriter.putString(buffer, next, sql);
    return MessageWriter.end(buffer, offset, MessageWriter.putOids(buffer, next, typeOids));
  }

  /**
   * Parse under another name: all that follows the name in the Parse at hand - the SQL with its
   * NUL, the parameter count and types - is {@code sourceLength} bytes at {@code sourceOffset} and
   * is copied as it is.
   */
  public static int parse(
      MutableDirectBuffer buffer,
      int offset,
      byte[] name,
      DirectBuffer source,
      int sourceOffset,
      int sourceLength) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.PARSE);
    int next = MessageWriter.putString(buffer, body, name);
    buffer.putBytes(next, source, sourceOffset, sourceLength);
    return MessageWriter.end(buffer, offset, next + sourceLength);
  }

  /** Bind of a statement without parameters, all results in text format. */
  public static int bind(MutableDirectBuffer buffer, int offset, String portal, String statement) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.BIND);
    int next = MessageWriter.putString(buffer, body, portal);
    next = MessageWriter.putString(buffer, next, statement);
    next = MessageWriter.putShort(buffer, next, 0);
    next = MessageWriter.putShort(buffer, next, 0);
    return MessageWriter.end(buffer, offset, MessageWriter.putShort(buffer, next, 0));
  }

  /** Describe of a statement ({@code 'S'}) or a portal ({@code 'P'}). */
  public static int describe(MutableDirectBuffer buffer, int offset, byte kind, String name) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.DESCRIBE);
    int next = MessageWriter.putByte(buffer, body, kind);
    return MessageWriter.end(buffer, offset, MessageWriter.putString(buffer, next, name));
  }

  /** Describe of a statement ({@code 'S'}) or a portal ({@code 'P'}). */
  public static int describe(MutableDirectBuffer buffer, int offset, byte kind, byte[] name) {
    return target(buffer, offset, FrontendMessage.DESCRIBE, kind, name);
  }

  /** Close of a statement ({@code 'S'}) or a portal ({@code 'P'}). */
  public static int close(MutableDirectBuffer buffer, int offset, byte kind, byte[] name) {
    return target(buffer, offset, FrontendMessage.CLOSE, kind, name);
  }

  private static int target(
      MutableDirectBuffer buffer, int offset, byte type, byte kind, byte[] name) {
    int body = MessageWriter.begin(buffer, offset, type);
    int next = MessageWriter.putByte(buffer, body, kind);
    return MessageWriter.end(buffer, offset, MessageWriter.putString(buffer, next, name));
  }

  /** Execute; {@code maxRows} of 0 means all rows. */
  public static int execute(MutableDirectBuffer buffer, int offset, String portal, int maxRows) {
    int body = MessageWriter.begin(buffer, offset, FrontendMessage.EXECUTE);
    int next = MessageWriter.putString(buffer, body, portal);
    return MessageWriter.end(buffer, offset, MessageWriter.putInt(buffer, next, maxRows));
  }

  /** Sync; 5 bytes. */
  public static int sync(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, FrontendMessage.SYNC);
  }

  /** Flush; 5 bytes. */
  public static int flush(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, FrontendMessage.FLUSH);
  }

  /** Terminate; 5 bytes. */
  public static int terminate(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, FrontendMessage.TERMINATE);
  }
}
