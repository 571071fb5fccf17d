package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * Parse. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'P'
 *  int32   length
 *  string  statement name, empty for the unnamed statement
 *  string  SQL
 *  int16   number of parameter types given
 *  int32   type OID, as many times; 0 leaves the type to the server
 * </pre>
 */
public final class ParseFlyweight {
  private DirectBuffer buffer;
  private int nameOffset;
  private int sqlOffset;
  private int typesOffset;
  private int limit;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public ParseFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    limit = offset + length;
    valid = MessageLayout.isFramed(buffer, offset, length) && hasLayout(offset + HEADER_LENGTH);
    return this;
  }

  private boolean hasLayout(int body) {
    nameOffset = body;
    sqlOffset = MessageLayout.stringEnd(buffer, nameOffset, limit);
    typesOffset = MessageLayout.stringEnd(buffer, sqlOffset, limit);
    return MessageLayout.arrayEnd(buffer, typesOffset, Integer.BYTES, limit) == limit;
  }

  /** Whether both strings end, the types are as many as announced, and nothing follows. */
  public boolean valid() {
    return valid;
  }

  public int nameOffset() {
    return nameOffset;
  }

  /** Length of the statement name in bytes, without its NUL. */
  public int nameLength() {
    return sqlOffset - nameOffset - 1;
  }

  public int sqlOffset() {
    return sqlOffset;
  }

  /** Length of the SQL in bytes, without its NUL. */
  public int sqlLength() {
    return typesOffset - sqlOffset - 1;
  }

  /**
   * Length in bytes of the SQL with its NUL and all that follows it: what defines the statement
   * whatever its name.
   */
  public int sqlAndTypesLength() {
    return limit - sqlOffset;
  }

  /** Offset of the Int16 number of parameter types. */
  public int typesOffset() {
    return typesOffset;
  }

  public int parameterTypeCount() {
    return MessageLayout.count(buffer, typesOffset);
  }

  /**
   * Type OID of parameter {@code index}, counted from 0 and below {@link #parameterTypeCount()}.
   */
  public int parameterType(int index) {
    return buffer.getInt(typesOffset + Short.BYTES + index * Integer.BYTES, BIG_ENDIAN);
  }
}
