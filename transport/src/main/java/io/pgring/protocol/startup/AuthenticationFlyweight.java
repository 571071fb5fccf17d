package io.pgring.protocol.startup;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * All the Authentication messages. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'R'
 *  int32   length
 *  int32   code
 *  bytes   data: the salt of 4 bytes (MD5), strings and an empty one (SASL), the rest of the message (the continuations)
 * </pre>
 */
public final class AuthenticationFlyweight {
  public static final int OK = 0;
  public static final int KERBEROS_V5 = 2;
  public static final int CLEARTEXT_PASSWORD = 3;
  public static final int MD5_PASSWORD = 5;
  public static final int GSS = 7;
  public static final int GSS_CONTINUE = 8;
  public static final int SSPI = 9;
  public static final int SASL = 10;
  public static final int SASL_CONTINUE = 11;
  public static final int SASL_FINAL = 12;

  private static final int MD5_SALT_LENGTH = 4;
  private static final int DATA_OFFSET = HEADER_LENGTH + Integer.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int length;
  private int code;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public AuthenticationFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    boolean hasCode = length >= DATA_OFFSET && MessageLayout.isFramed(buffer, offset, length);
    code = hasCode ? buffer.getInt(offset + HEADER_LENGTH, BIG_ENDIAN) : MessageLayout.MALFORMED;
    valid = hasCode && hasDataOfCode();
    return this;
  }

  private boolean hasDataOfCode() {
    return switch (code) {
      case OK, KERBEROS_V5, CLEARTEXT_PASSWORD, GSS, SSPI -> dataLength() == 0;
      case MD5_PASSWORD -> dataLength() == MD5_SALT_LENGTH;
      case SASL -> isMechanismList();
      case GSS_CONTINUE, SASL_CONTINUE, SASL_FINAL -> true;
      default -> false;
    };
  }

  private boolean isMechanismList() {
    int limit = offset + length;
    int next = dataOffset();
    while (next != MessageLayout.MALFORMED && next < limit && buffer.getByte(next) != 0) {
      next = MessageLayout.stringEnd(buffer, next, limit);
    }
    return next == limit - 1 && dataLength() > 1;
  }

  /** Whether the code is one of the protocol's and the data has its layout. */
  public boolean valid() {
    return valid;
  }

  /** The request; {@link MessageLayout#MALFORMED} where the message is too short for one. */
  public int code() {
    return code;
  }

  /** Where the salt, the mechanisms, or the mechanism's data start. */
  public int dataOffset() {
    return offset + DATA_OFFSET;
  }

  /** Length of what follows the code, in bytes. */
  public int dataLength() {
    return length - DATA_OFFSET;
  }

  /** Whether this is an AuthenticationSASL that lists the mechanism, given in ASCII. */
  public boolean offers(byte[] mechanism) {
    int limit = offset + length;
    int next = dataOffset();
    while (valid && code == SASL && buffer.getByte(next) != 0) {
      int end = MessageLayout.stringEnd(buffer, next, limit);
      if (end - next - 1 == mechanism.length && startsWith(next, mechanism)) {
        return true;
      }
      next = end;
    }
    return false;
  }

  private boolean startsWith(int index, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (buffer.getByte(index + i) != text[i]) {
        return false;
      }
    }
    return true;
  }
}
