package io.pgring.admin;

import io.pgring.admin.show.Column;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * In which format a client wants each column, as its Bind says, and the values in those formats.
 * Immutable.
 *
 * @see <a href="https://www.postgresql.org/docs/current/protocol-overview.html">Formats and Format
 *     Codes</a>
 */
final class Formats {
  /** Everything as text, as in the simple protocol. */
  static final Formats TEXT = new Formats(new int[0]);

  private static final int NUMERIC_BASE = 10_000;

  private final int[] codes;

  /**
   * @param codes none: all text; one: for all columns; otherwise one for each column
   */
  Formats(int[] codes) {
    this.codes = codes;
  }

  boolean isBinary(int column) {
    if (codes.length == 0) {
      return false;
    }
    return codes[codes.length == 1 ? 0 : Math.min(column, codes.length - 1)] == 1;
  }

  /** The bytes of a value in a format of its type. */
  static byte[] encode(Object value, int typeOid, boolean binary) {
    if (!binary || typeOid == Column.TEXT) {
      return value.toString().getBytes(StandardCharsets.UTF_8);
    }
    long number = ((Number) value).longValue();
    return switch (typeOid) {
      case Column.INT4 -> ByteBuffer.allocate(Integer.BYTES).putInt((int) number).array();
      case Column.INT8 -> ByteBuffer.allocate(Long.BYTES).putLong(number).array();
      default -> numeric(number);
    };
  }

  /** As numeric_send of PostgreSQL: digits, weight, sign, scale, then digits to the base 10,000. */
  private static byte[] numeric(long number) {
    int digits = 0;
    for (long rest = number; rest != 0; rest /= NUMERIC_BASE) {
      digits++;
    }
    ByteBuffer bytes = ByteBuffer.allocate((4 + digits) * Short.BYTES);
    bytes.putShort((short) digits).putShort((short) Math.max(0, digits - 1));
    bytes.putShort((short) (number < 0 ? 0x4000 : 0)).putShort((short) 0);
    long rest = number;
    for (int i = digits - 1; i >= 0; i--) {
      bytes.putShort((4 + i) * Short.BYTES, (short) Math.abs(rest % NUMERIC_BASE));
      rest /= NUMERIC_BASE;
    }
    return bytes.array();
  }
}
