package io.pgring.protocol;

import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * Writes whole messages as a server sends them. Stateless; any thread.
 *
 * <p>Each method writes one message at {@code offset} and answers its length in bytes. The caller
 * brings a buffer that is large enough. A message takes no more than 5 bytes of header, its fixed
 * fields as documented, its byte arrays, and for each string three bytes a {@code char} and one
 * NUL; {@link #errorResponseLength} adds that up for errors. A buffer that is too small is an
 * {@link IndexOutOfBoundsException} of Agrona's bounds check, and what is in it then is undefined.
 * Text goes out as UTF-8; a NUL in it becomes a question mark.
 */
public final class BackendEncoder {
  private static final int AUTHENTICATION_OK = 0;
  private static final int AUTHENTICATION_CLEARTEXT_PASSWORD = 3;
  private static final int AUTHENTICATION_MD5_PASSWORD = 5;
  private static final int AUTHENTICATION_SASL = 10;
  private static final int AUTHENTICATION_SASL_CONTINUE = 11;
  private static final int AUTHENTICATION_SASL_FINAL = 12;

  private static final int MAX_UTF8_BYTES_PER_CHAR = 3;

  private static final int NO_TABLE = 0;
  private static final int NO_COLUMN = 0;
  private static final int NO_MODIFIER = -1;
  private static final int BOOL_OID = 16;
  private static final int INT8_OID = 20;
  private static final int INT4_OID = 23;
  private static final int FLOAT8_OID = 701;

  private BackendEncoder() {}

  /**
   * An upper bound, in bytes, for an ErrorResponse or NoticeResponse with these texts; detail and
   * hint may be {@code null}.
   */
  public static int errorResponseLength(
      String severity, String sqlState, String message, String detail, String hint) {
    int fixed = MessageLayout.HEADER_LENGTH + 1;
    return fixed
        + 2 * fieldLength(severity)
        + fieldLength(sqlState)
        + fieldLength(message)
        + fieldLength(detail)
        + fieldLength(hint);
  }

  private static int fieldLength(String textOrNull) {
    return textOrNull == null ? 0 : 2 + MAX_UTF8_BYTES_PER_CHAR * textOrNull.length();
  }

  /** ErrorResponse with the fields S, V, C, M and, where not {@code null}, D and H. */
  public static int errorResponse(
      MutableDirectBuffer buffer,
      int offset,
      String severity,
      String sqlState,
      String message,
      String detail,
      String hint) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.ERROR_RESPONSE);
    int end = putFields(buffer, body, severity, sqlState, message, detail, hint);
    return MessageWriter.end(buffer, offset, end);
  }

  /** NoticeResponse with the same fields as {@link #errorResponse}. */
  public static int noticeResponse(
      MutableDirectBuffer buffer,
      int offset,
      String severity,
      String sqlState,
      String message,
      String detail,
      String hint) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.NOTICE_RESPONSE);
    int end = putFields(buffer, body, severity, sqlState, message, detail, hint);
    return MessageWriter.end(buffer, offset, end);
  }

  private static int putFields(
      MutableDirectBuffer buffer,
      int index,
      String severity,
      String sqlState,
      String message,
      String detail,
      String hint) {
    int next = putField(buffer, index, FieldCode.SEVERITY, severity);
    next = putField(buffer, next, FieldCode.SEVERITY_NOT_LOCALIZED, severity);
    next = putField(buffer, next, FieldCode.SQL_STATE, sqlState);
    next = putField(buffer, next, FieldCode.MESSAGE, message);
    next = putField(buffer, next, FieldCode.DETAIL, detail);
    next = putField(buffer, next, FieldCode.HINT, hint);
    return MessageWriter.putByte(buffer, next, (byte) 0);
  }

  private static int putField(MutableDirectBuffer buffer, int index, byte code, String textOrNull) {
    return textOrNull == null
        ? index
        : MessageWriter.putString(buffer, MessageWriter.putByte(buffer, index, code), textOrNull);
  }

  /** ReadyForQuery with a status of {@link TransactionStatus}; 6 bytes. */
  public static int readyForQuery(MutableDirectBuffer buffer, int offset, byte status) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.READY_FOR_QUERY);
    return MessageWriter.end(buffer, offset, MessageWriter.putByte(buffer, body, status));
  }

  /** ParameterStatus. */
  public static int parameterStatus(
      MutableDirectBuffer buffer, int offset, String name, String value) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.PARAMETER_STATUS);
    int next = MessageWriter.putString(buffer, body, name);
    return MessageWriter.end(buffer, offset, MessageWriter.putString(buffer, next, value));
  }

  /** BackendKeyData; the key has 4 bytes in protocol 3.0 and 4 to 256 in 3.2. */
  public static int backendKeyData(MutableDirectBuffer buffer, int offset, int pid, byte[] key) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.BACKEND_KEY_DATA);
    int next = MessageWriter.putInt(buffer, body, pid);
    return MessageWriter.end(buffer, offset, MessageWriter.putBytes(buffer, next, key));
  }

  /** AuthenticationOk; 9 bytes. */
  public static int authenticationOk(MutableDirectBuffer buffer, int offset) {
    int end = beginAuthentication(buffer, offset, AUTHENTICATION_OK);
    return MessageWriter.end(buffer, offset, end);
  }

  /** AuthenticationCleartextPassword; 9 bytes. */
  public static int authenticationCleartextPassword(MutableDirectBuffer buffer, int offset) {
    int end = beginAuthentication(buffer, offset, AUTHENTICATION_CLEARTEXT_PASSWORD);
    return MessageWriter.end(buffer, offset, end);
  }

  /** AuthenticationMD5Password with a salt of 4 bytes; 13 bytes. */
  public static int authenticationMd5Password(MutableDirectBuffer buffer, int offset, byte[] salt) {
    int body = beginAuthentication(buffer, offset, AUTHENTICATION_MD5_PASSWORD);
    return MessageWriter.end(buffer, offset, MessageWriter.putBytes(buffer, body, salt));
  }

  /** AuthenticationSASL with the mechanisms in order of preference. */
  public static int authenticationSasl(
      MutableDirectBuffer buffer, int offset, String... mechanisms) {
    int next = beginAuthentication(buffer, offset, AUTHENTICATION_SASL);
    for (String mechanism : mechanisms) {
      next = MessageWriter.putString(buffer, next, mechanism);
    }
    return MessageWriter.end(buffer, offset, MessageWriter.putByte(buffer, next, (byte) 0));
  }

  /** AuthenticationSASLContinue. */
  public static int authenticationSaslContinue(
      MutableDirectBuffer buffer, int offset, byte[] data) {
    int body = beginAuthentication(buffer, offset, AUTHENTICATION_SASL_CONTINUE);
    return MessageWriter.end(buffer, offset, MessageWriter.putBytes(buffer, body, data));
  }

  /** AuthenticationSASLFinal. */
  public static int authenticationSaslFinal(MutableDirectBuffer buffer, int offset, byte[] data) {
    int body = beginAuthentication(buffer, offset, AUTHENTICATION_SASL_FINAL);
    return MessageWriter.end(buffer, offset, MessageWriter.putBytes(buffer, body, data));
  }

  private static int beginAuthentication(MutableDirectBuffer buffer, int offset, int code) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.AUTHENTICATION);
    return MessageWriter.putInt(buffer, body, code);
  }

  /**
   * NegotiateProtocolVersion. The documentation calls the first field the newest minor version, but
   * PostgreSQL sends, and libpq expects, the whole version ({@link FrontendMessage#PROTOCOL_3_2}).
   */
  public static int negotiateProtocolVersion(
      MutableDirectBuffer buffer,
      int offset,
      int newestProtocol,
      List<String> unrecognizedOptions) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.NEGOTIATE_PROTOCOL_VERSION);
    int next = MessageWriter.putInt(buffer, body, newestProtocol);
    next = MessageWriter.putInt(buffer, next, unrecognizedOptions.size());
    for (int i = 0; i < unrecognizedOptions.size(); i++) {
      next = MessageWriter.putString(buffer, next, unrecognizedOptions.get(i));
    }
    return MessageWriter.end(buffer, offset, next);
  }

  /** CommandComplete. */
  public static int commandComplete(MutableDirectBuffer buffer, int offset, String tag) {
    return MessageWriter.text(buffer, offset, BackendMessage.COMMAND_COMPLETE, tag);
  }

  /** ParseComplete; 5 bytes. */
  public static int parseComplete(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, BackendMessage.PARSE_COMPLETE);
  }

  /** BindComplete; 5 bytes. */
  public static int bindComplete(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, BackendMessage.BIND_COMPLETE);
  }

  /** CloseComplete; 5 bytes. */
  public static int closeComplete(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, BackendMessage.CLOSE_COMPLETE);
  }

  /** NoData; 5 bytes. */
  public static int noData(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, BackendMessage.NO_DATA);
  }

  /** EmptyQueryResponse; 5 bytes. */
  public static int emptyQueryResponse(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, BackendMessage.EMPTY_QUERY_RESPONSE);
  }

  /** PortalSuspended; 5 bytes. */
  public static int portalSuspended(MutableDirectBuffer buffer, int offset) {
    return MessageWriter.empty(buffer, offset, BackendMessage.PORTAL_SUSPENDED);
  }

  /**
   * RowDescription of columns that belong to no table, in text format; one type OID for each name.
   */
  public static int rowDescription(
      MutableDirectBuffer buffer, int offset, String[] names, int[] typeOids) {
    return rowDescription(buffer, offset, names, typeOids, new int[names.length]);
  }

  /**
   * RowDescription of columns that belong to no table.
   *
   * @param typeOids one for each name
   * @param formats one for each name, 0 for text and 1 for binary
   */
  public static int rowDescription(
      MutableDirectBuffer buffer, int offset, String[] names, int[] typeOids, int[] formats) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.ROW_DESCRIPTION);
    int next = MessageWriter.putShort(buffer, body, names.length);
    for (int i = 0; i < names.length; i++) {
      next = MessageWriter.putString(buffer, next, names[i]);
      next = MessageWriter.putInt(buffer, next, NO_TABLE);
      next = MessageWriter.putShort(buffer, next, NO_COLUMN);
      next = MessageWriter.putInt(buffer, next, typeOids[i]);
      next = MessageWriter.putShort(buffer, next, typeLength(typeOids[i]));
      next = MessageWriter.putInt(buffer, next, NO_MODIFIER);
      next = MessageWriter.putShort(buffer, next, formats[i]);
    }
    return MessageWriter.end(buffer, offset, next);
  }

  /**
   * {@code pg_type.typlen} of the fixed-length types an answer of our own may have; -1 means
   * variable.
   */
  private static int typeLength(int typeOid) {
    return switch (typeOid) {
      case BOOL_OID -> 1;
      case INT4_OID -> Integer.BYTES;
      case INT8_OID, FLOAT8_OID -> Long.BYTES;
      default -> -1;
    };
  }

  /** ParameterDescription. */
  public static int parameterDescription(MutableDirectBuffer buffer, int offset, int... typeOids) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.PARAMETER_DESCRIPTION);
    return MessageWriter.end(buffer, offset, MessageWriter.putOids(buffer, body, typeOids));
  }

  /** DataRow of values in the formats of their columns; {@code null} is the SQL NULL. */
  public static int dataRow(MutableDirectBuffer buffer, int offset, byte[][] values) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.DATA_ROW);
    int next = MessageWriter.putShort(buffer, body, values.length);
    for (byte[] value : values) {
      next = MessageWriter.putInt(buffer, next, value == null ? -1 : value.length);
      next = value == null ? next : MessageWriter.putBytes(buffer, next, value);
    }
    return MessageWriter.end(buffer, offset, next);
  }

  /** DataRow of text values; {@code null} is the SQL NULL. */
  public static int dataRow(MutableDirectBuffer buffer, int offset, String... values) {
    int body = MessageWriter.begin(buffer, offset, BackendMessage.DATA_ROW);
    int next = MessageWriter.putShort(buffer, body, values.length);
    for (String value : values) {
      next = MessageWriter.putValue(buffer, next, value);
    }
    return MessageWriter.end(buffer, offset, next);
  }
}
