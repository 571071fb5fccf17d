package io.pgring.protocol;

/**
 * Type bytes of the messages a client sends, and the request codes of the untyped packets before
 * them.
 */
public final class FrontendMessage {
  /**
   * Stands for a startup packet (startup, cancel, SSL or GSS request), which carries no type byte.
   */
  public static final byte STARTUP = 0;

  public static final byte BIND = 'B';
  public static final byte CLOSE = 'C';
  public static final byte COPY_DATA = 'd';
  public static final byte COPY_DONE = 'c';
  public static final byte COPY_FAIL = 'f';
  public static final byte DESCRIBE = 'D';
  public static final byte EXECUTE = 'E';
  public static final byte FLUSH = 'H';
  public static final byte FUNCTION_CALL = 'F';
  public static final byte PARSE = 'P';

  /**
   * PasswordMessage, SASLInitialResponse, SASLResponse and GSSResponse: the authentication request
   * tells which.
   */
  public static final byte PASSWORD = 'p';

  public static final byte QUERY = 'Q';
  public static final byte SYNC = 'S';
  public static final byte TERMINATE = 'X';

  /** Protocol 3.0: cancel keys of four bytes. */
  public static final int PROTOCOL_3_0 = 196608;

  /** Protocol 3.2: cancel keys of 4 to 256 bytes. */
  public static final int PROTOCOL_3_2 = 196610;

  public static final int CANCEL_REQUEST = 80877102;
  public static final int SSL_REQUEST = 80877103;
  public static final int GSSENC_REQUEST = 80877104;

  private FrontendMessage() {}

  /**
   * Whether a server accepts this type byte after the startup packet; {@link #STARTUP} is not one.
   */
  public static boolean isKnown(byte type) {
    return switch (type) {
      case BIND,
          CLOSE,
          COPY_DATA,
          COPY_DONE,
          COPY_FAIL,
          DESCRIBE,
          EXECUTE,
          FLUSH,
          FUNCTION_CALL,
          PARSE,
          PASSWORD,
          QUERY,
          SYNC,
          TERMINATE ->
          true;
      default -> false;
    };
  }
}
