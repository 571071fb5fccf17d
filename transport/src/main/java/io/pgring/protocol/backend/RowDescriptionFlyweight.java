package io.pgring.protocol.backend;

import static io.pgring.protocol.MessageLayout.HEADER_LENGTH;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.pgring.protocol.MessageLayout;
import org.agrona.DirectBuffer;

/**
 * RowDescription. One thread; good until the bytes are released.
 *
 * <pre>
 *  byte    'T'
 *  int32   length
 *  int16   number of columns, and for each:
 *    string  name
 *    int32   OID of the table, 0 for none
 *    int16   number of the table's column, 0 for none
 *    int32   type OID
 *    int16   type length in bytes, negative for variable
 *    int32   type modifier
 *    int16   format: 0 text, 1 binary
 * </pre>
 *
 * The columns are read with a cursor: {@code while (description.next()) ...}.
 */
public final class RowDescriptionFlyweight {
  private static final int COUNT_OFFSET = HEADER_LENGTH;
  private static final int COLUMNS_OFFSET = COUNT_OFFSET + Short.BYTES;

  private static final int TABLE_OID_OFFSET = 0;
  private static final int TABLE_COLUMN_OFFSET = TABLE_OID_OFFSET + Integer.BYTES;
  private static final int TYPE_OID_OFFSET = TABLE_COLUMN_OFFSET + Short.BYTES;
  private static final int TYPE_LENGTH_OFFSET = TYPE_OID_OFFSET + Integer.BYTES;
  private static final int TYPE_MODIFIER_OFFSET = TYPE_LENGTH_OFFSET + Short.BYTES;
  private static final int FORMAT_OFFSET = TYPE_MODIFIER_OFFSET + Integer.BYTES;
  private static final int FIXED_LENGTH = FORMAT_OFFSET + Short.BYTES;

  private DirectBuffer buffer;
  private int offset;
  private int limit;
  private boolean valid;
  private int nameOffset;
  private int fixedOffset;
  private int nextOffset;

  /** Takes the message of {@code length} bytes whose type byte is at {@code offset}. */
  public RowDescriptionFlyweight wrap(DirectBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    this.offset = offset;
    limit = offset + length;
    valid =
        length >= COLUMNS_OFFSET && MessageLayout.isFramed(buffer, offset, length) && hasLayout();
    rewind();
    return this;
  }

  private boolean hasLayout() {
    int count = columnCount();
    int end = offset + COLUMNS_OFFSET;
    for (int i = 0; i < count && end != MessageLayout.MALFORMED; i++) {
      int fixed = MessageLayout.stringEnd(buffer, end, limit);
      end = MessageLayout.fieldEnd(fixed, FIXED_LENGTH, limit);
    }
    return end == limit;
  }

  /** Whether the columns are as many as announced and nothing follows. */
  public boolean valid() {
    return valid;
  }

  public int columnCount() {
    return MessageLayout.count(buffer, offset + COUNT_OFFSET);
  }

  /** Goes back before the first column. */
  public void rewind() {
    nextOffset = offset + COLUMNS_OFFSET;
  }

  /**
   * Goes to the next column; false when there is none. The methods below are about the column at
   * hand.
   */
  public boolean next() {
    if (!valid || nextOffset == limit) {
      return false;
    }
    nameOffset = nextOffset;
    fixedOffset = MessageLayout.stringEnd(buffer, nameOffset, limit);
    nextOffset = fixedOffset + FIXED_LENGTH;
    return true;
  }

  public int nameOffset() {
    return nameOffset;
  }

  /** Length of the name in bytes, without its NUL. */
  public int nameLength() {
    return fixedOffset - nameOffset - 1;
  }

  /** OID of the table the column comes from, 0 for none. */
  public int tableOid() {
    return buffer.getInt(fixedOffset + TABLE_OID_OFFSET, BIG_ENDIAN);
  }

  /** Number of the column in its table, 0 for none. */
  public int tableColumn() {
    return buffer.getShort(fixedOffset + TABLE_COLUMN_OFFSET, BIG_ENDIAN);
  }

  public int typeOid() {
    return buffer.getInt(fixedOffset + TYPE_OID_OFFSET, BIG_ENDIAN);
  }

  /** Length of the type in bytes, negative for variable. */
  public int typeLength() {
    return buffer.getShort(fixedOffset + TYPE_LENGTH_OFFSET, BIG_ENDIAN);
  }

  public int typeModifier() {
    return buffer.getInt(fixedOffset + TYPE_MODIFIER_OFFSET, BIG_ENDIAN);
  }

  /**
   * 0 text, 1 binary; 0 too where Describe was asked of a statement and the format is not known
   * yet.
   */
  public int format() {
    return buffer.getShort(fixedOffset + FORMAT_OFFSET, BIG_ENDIAN);
  }
}
