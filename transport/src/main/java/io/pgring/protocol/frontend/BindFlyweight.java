package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.ValueList;
import org.agrona.DirectBuffer;

/**
 * Bind. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'B'
 *  int32   length
 *  string  portal name, empty for the unnamed portal
 *  string  statement name, empty for the unnamed statement
 *  int16   number of parameter formats: none (all text), one (for all), or one for each parameter
 *  int16   format, as many times: 0 text, 1 binary
 *  int16   number of parameters
 *  int32   length in bytes or -1 for NULL, and the value, as many times
 *  int16   number of result formats
 *  int16   format, as many times
 * </pre>
 */
public final class BindFlyweight {
  private final ValueList parameters = new ValueList();
  private DirectBuffer buffer;
  private int portalOffset;
  private int statementOffset;
  private int formatsOffset;
  private int resultFormatsOffset;
  private int limit;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public BindFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    limit = offset + length;
    valid = MessageLayout.isFramed(buffer, offset, length) && hasLayout(offset + HEADER_LENGTH);
    return this;
  }

  private boolean hasLayout(int body) {
    portalOffset = body;
    statementOffset = MessageLayout.stringEnd(buffer, portalOffset, limit);
    formatsOffset = MessageLayout.stringEnd(buffer, statementOffset, limit);
    int valuesOffset = MessageLayout.arrayEnd(buffer, formatsOffset, Short.BYTES, limit);
    resultFormatsOffset = parameters.wrap(buffer, valuesOffset, limit);
    return MessageLayout.arrayEnd(buffer, resultFormatsOffset, Short.BYTES, limit) == limit
        && MessageLayout.formatsSuit(buffer, formatsOffset, parameters.count());
  }

  /**
   * Whether all fields are there, the number of formats suits the parameters, and nothing follows.
   */
  public boolean valid() {
    return valid;
  }

  public int portalOffset() {
    return portalOffset;
  }

  /** Length of the portal name in bytes, without its NUL. */
  public int portalLength() {
    return statementOffset - portalOffset - 1;
  }

  public int statementOffset() {
    return statementOffset;
  }

  /** Length of the statement name in bytes, without its NUL. */
  public int statementLength() {
    return formatsOffset - statementOffset - 1;
  }

  /** Offset of what follows both names: the Int16 number of parameter formats. */
  public int afterNamesOffset() {
    return formatsOffset;
  }

  public int parameterCount() {
    return parameters.count();
  }

  /**
   * Where the bytes of parameter {@code index} start, counted from 0 and below {@link
   * #parameterCount()}.
   */
  public int parameterOffset(int index) {
    return parameters.offset(index);
  }

  /** Length of parameter {@code index} in bytes, -1 for NULL. */
  public int parameterLength(int index) {
    return parameters.length(index);
  }

  /**
   * Format of parameter {@code index}: 0 text, 1 binary. Other codes are the server's to refuse.
   */
  public int parameterFormat(int index) {
    return MessageLayout.format(buffer, formatsOffset, index);
  }

  /** Number of result formats: 0 means all text, 1 means the same for every column. */
  public int resultFormatCount() {
    return MessageLayout.count(buffer, resultFormatsOffset);
  }

  /** Result format {@code index}, counted from 0 and below {@link #resultFormatCount()}. */
  public int resultFormat(int index) {
    return buffer.getShort(resultFormatsOffset + Short.BYTES * (1 + index), BIG_ENDIAN);
  }
}
