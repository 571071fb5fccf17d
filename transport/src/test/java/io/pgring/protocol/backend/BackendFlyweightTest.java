package io.pgring.protocol.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.protocol.FieldCode;
import io.pgring.protocol.TransactionStatus;
import io.pgring.protocol.WireBytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class BackendFlyweightTest {
  private static final int OFFSET = 5;

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);

  @Test
  void readsParameterStatus() {
    ParameterStatusFlyweight parameter = new ParameterStatusFlyweight();
    int length = put("53 00000015 'TimeZone' 00 'Etc/UTC' 00");
    assertThat(parameter.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(text(parameter.nameOffset(), parameter.nameLength())).isEqualTo("TimeZone");
    assertThat(text(parameter.valueOffset(), parameter.valueLength())).isEqualTo("Etc/UTC");
  }

  @ParameterizedTest
  @ValueSource(strings = {"45 0000001c", "4e 0000001c"})
  void readsFieldsOfErrorAndNotice(String header) {
    ErrorResponseFlyweight error = new ErrorResponseFlyweight();
    int length = put(header + " 'SERROR' 00 'C42601' 00 'Mno' 00 'H' 00 'Mx' 00 00");
    assertThat(error.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(error.field(FieldCode.SQL_STATE)).isTrue();
    assertThat(text(error.fieldOffset(), error.fieldLength())).isEqualTo("42601");
    assertThat(error.field(FieldCode.MESSAGE)).isTrue();
    assertThat(text(error.fieldOffset(), error.fieldLength())).isEqualTo("no");
    assertThat(error.field(FieldCode.HINT)).isTrue();
    assertThat(error.fieldLength()).isZero();
    assertThat(error.field(FieldCode.DETAIL)).isFalse();
    assertThat(error.field((byte) 0)).isFalse();
  }

  @Test
  void readsErrorWithoutFields() {
    ErrorResponseFlyweight error = new ErrorResponseFlyweight();
    assertThat(error.wrap(buffer, OFFSET, put("45 00000005 00")).valid()).isTrue();
    assertThat(error.field(FieldCode.MESSAGE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "45 00000004",
        "45 00000006 00 00",
        "45 00000007 'Ma' 00",
        "45 00000005 'M'",
      })
  void refusesErrorWithoutTerminatorAtItsEnd(String golden) {
    ErrorResponseFlyweight error = new ErrorResponseFlyweight();
    assertThat(error.wrap(buffer, OFFSET, put(golden)).valid()).isFalse();
    assertThat(error.field((byte) 'M')).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"I, true", "T, true", "E, true", "i, false", "X, false"})
  void readsReadyForQuery(char status, boolean valid) {
    ReadyForQueryFlyweight ready = new ReadyForQueryFlyweight();
    assertThat(ready.wrap(buffer, OFFSET, put("5a 00000005 '" + status + "'")).valid())
        .isEqualTo(valid);
    assertThat(ready.status()).isEqualTo((byte) status);
  }

  @Test
  void knowsTheStatusConstants() {
    assertThat(new byte[] {TransactionStatus.IDLE, TransactionStatus.IN_TRANSACTION})
        .isEqualTo(new byte[] {'I', 'T'});
    assertThat(TransactionStatus.FAILED).isEqualTo((byte) 'E');
  }

  @ParameterizedTest
  @CsvSource({
    "INSERT 0 5, 5",
    "SELECT 1234567890, 1234567890",
    "SELECT 999999999999999999, 999999999999999999",
    "SELECT 9999999999999999999, -1",
    "UPDATE 0, 0",
    "BEGIN, -1",
    "CREATE TABLE, -1",
    "MERGE 12x, -1",
    "X1, -1",
    "15, -1",
    "5, -1",
    "'', -1",
    "' ', -1",
    "' 7', 7"
  })
  void readsRowCountOfCommandTag(String tag, long rowCount) {
    CommandCompleteFlyweight complete = new CommandCompleteFlyweight();
    int length = put("43 000000%02x '%s' 00".formatted(5 + tag.length(), tag));
    assertThat(complete.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(text(complete.tagOffset(), complete.tagLength())).isEqualTo(tag);
    assertThat(complete.rowCount()).isEqualTo(rowCount);
  }

  @Test
  void readsRowDescription() {
    RowDescriptionFlyweight description = new RowDescriptionFlyweight();
    int length =
        put(
            """
            54 0000002f 0002
            'a' 00 00004001 0003 00000017 0004 ffffffff 0001
            'bc' 00 00000000 0000 00000413 ffff 0000000e 0000
            """);
    assertThat(description.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(description.columnCount()).isEqualTo(2);
    assertThat(description.next()).isTrue();
    assertColumn(description, "a", 0x4001, 3, 23, 4, -1, 1);
    assertThat(description.next()).isTrue();
    assertColumn(description, "bc", 0, 0, 1043, -1, 14, 0);
    assertThat(description.next()).isFalse();
    description.rewind();
    assertThat(description.next()).isTrue();
    assertThat(description.typeOid()).isEqualTo(23);
  }

  private void assertColumn(RowDescriptionFlyweight column, String name, int... fixed) {
    assertThat(text(column.nameOffset(), column.nameLength())).isEqualTo(name);
    assertThat(
            new int[] {
              column.tableOid(),
              column.tableColumn(),
              column.typeOid(),
              column.typeLength(),
              column.typeModifier(),
              column.format()
            })
        .isEqualTo(fixed);
  }

  @Test
  void readsDataRow() {
    DataRowFlyweight row = new DataRowFlyweight();
    int length = put("44 00000014 0003 00000002 '42' ffffffff 00000000");
    assertThat(row.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(row.columnCount()).isEqualTo(3);
    assertThat(text(row.columnOffset(2), row.columnLength(2))).isEmpty();
    assertThat(text(row.columnOffset(1), row.columnLength(1))).isNull();
    assertThat(text(row.columnOffset(0), row.columnLength(0))).isEqualTo("42");
  }

  @Test
  void readsAllColumnsPostgresCanSend() {
    DataRowFlyweight row = new DataRowFlyweight();
    int length = put("44 00001a06 0680 " + "ffffffff".repeat(1664), new byte[8192]);
    assertThat(row.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(row.columnCount()).isEqualTo(1664);
  }

  @Test
  void readsParameterDescription() {
    ParameterDescriptionFlyweight parameters = new ParameterDescriptionFlyweight();
    int length = put("74 0000000e 0002 00000017 00000019");
    assertThat(parameters.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(parameters.parameterCount()).isEqualTo(2);
    assertThat(parameters.parameterType(0)).isEqualTo(23);
    assertThat(parameters.parameterType(1)).isEqualTo(25);
  }

  @Test
  void readsNotificationResponse() {
    NotificationResponseFlyweight notification = new NotificationResponseFlyweight();
    int length = put("41 0000000f 00000102 'jobs' 00 'x' 00");
    assertThat(notification.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(notification.pid()).isEqualTo(258);
    assertThat(text(notification.channelOffset(), notification.channelLength())).isEqualTo("jobs");
    assertThat(text(notification.payloadOffset(), notification.payloadLength())).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"47", "48", "57"})
  void readsCopyResponses(String type) {
    CopyResponseFlyweight copy = new CopyResponseFlyweight();
    int length = put(type + " 0000000b 01 0002 0001 0000");
    assertThat(copy.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(copy.format()).isEqualTo(1);
    assertThat(copy.columnCount()).isEqualTo(2);
    assertThat(copy.columnFormat(0)).isEqualTo(1);
    assertThat(copy.columnFormat(1)).isZero();
  }

  @Test
  void readsFunctionCallResponse() {
    FunctionCallResponseFlyweight response = new FunctionCallResponseFlyweight();
    int length = put("56 0000000a 00000002 '42'");
    assertThat(response.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(text(response.valueOffset(), response.valueLength())).isEqualTo("42");
    length = put("56 00000008 ffffffff");
    assertThat(response.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(response.valueLength()).isEqualTo(-1);
  }

  private int put(String golden) {
    byte[] bytes = WireBytes.of(golden);
    buffer.putBytes(OFFSET, bytes);
    return bytes.length;
  }

  private int put(String golden, byte[] memory) {
    buffer.wrap(memory);
    return put(golden);
  }

  private String text(int offset, int length) {
    return WireBytes.text(buffer, offset, length);
  }
}
