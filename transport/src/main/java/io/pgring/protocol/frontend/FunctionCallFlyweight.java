package io.pgring.protocol.frontend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import io.pgring.protocol.ValueList;
import org.agrona.DirectBuffer;

/**
 * FunctionCall. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'F'
 *  int32   length
 *  int32   function OID
 *  int16   number of argument formats: none (all text), one (for all), or one for each argument
 *  int16   format, as many times: 0 text, 1 binary
 *  int16   number of arguments
 *  int32   length in bytes or -1 for NULL, and the value, as many times
 *  int16   result format
 * </pre>
 */
public final class FunctionCallFlyweight {
  private static final int FUNCTION_OFFSET = HEADER_LENGTH;
  private static final int FORMATS_OFFSET = FUNCTION_OFFSET + Integer.BYTES;

  private final ValueList arguments = new ValueList();
  private DirectBuffer buffer;
  private int offset;
  private int resultFormatOffset;
  private boolean valid;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public FunctionCallFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    valid =
        length > FORMATS_OFFSET
            && MessageLayout.isFramed(buffer, offset, length)
            && hasLayout(offset + FORMATS_OFFSET, offset + length);
    return this;
  }

  private boolean hasLayout(int formatsOffset, int limit) {
    int valuesOffset = MessageLayout.arrayEnd(buffer, formatsOffset, Short.BYTES, limit);
    resultFormatOffset = arguments.wrap(buffer, valuesOffset, limit);
    return MessageLayout.fieldEnd(resultFormatOffset, Short.BYTES, limit) == limit
        && MessageLayout.formatsSuit(buffer, formatsOffset, arguments.count());
  }

  /**
   * Whether all fields are there, the number of formats suits the arguments, and nothing follows.
   */
  public boolean valid() {
    return valid;
  }

  public int functionOid() {
    return buffer.getInt(offset + FUNCTION_OFFSET, BIG_ENDIAN);
  }

  public int argumentCount() {
    return arguments.count();
  }

  /**
   * Where the bytes of argument {@code index} start, counted from 0 and below {@link
   * #argumentCount()}.
   */
  public int argumentOffset(int index) {
    return arguments.offset(index);
  }

  /** Length of argument {@code index} in bytes, -1 for NULL. */
  public int argumentLength(int index) {
    return arguments.length(index);
  }

  /** Format of argument {@code index}: 0 text, 1 binary. Other codes are the server's to refuse. */
  public int argumentFormat(int index) {
    return MessageLayout.format(buffer, offset + FORMATS_OFFSET, index);
  }

  /** Format of the result: 0 text, 1 binary. */
  public int resultFormat() {
    return buffer.getShort(resultFormatOffset, BIG_ENDIAN);
  }
}
