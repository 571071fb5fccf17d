package io.pgring.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.admin.show.Column;
import java.util.HexFormat;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values in both formats, as PostgreSQL's send functions write them. */
@Timeout(10)
class FormatsTest {
  @ParameterizedTest
  @CsvSource({
    "-2, 23, fffffffe",
    "258, 20, 0000000000000102",
    "0, 1700, 0000000000000000",
    "7, 1700, 00010000000000000007",
    "10000, 1700, 000200010000000000010000",
    "123456789, 1700, 0003000200000000000109291a85",
    "-10001, 1700, 000200014000000000010001"
  })
  void writesNumbersInBinary(long value, int typeOid, String bytes) {
    Number number = typeOid == Column.INT4 ? (Number) (int) value : (Number) value;

    assertThat(HexFormat.of().formatHex(Formats.encode(number, typeOid, true))).isEqualTo(bytes);
    assertThat(Formats.encode(number, typeOid, false)).asString().isEqualTo("" + value);
  }

  @ParameterizedTest
  @CsvSource({"'', 3, false", "1, 0, true", "1, 7, true", "0 1, 0, false", "0 1, 1, true"})
  void appliesFormatCodesToColumns(String codes, int column, boolean binary) {
    int[] list =
        java.util.Arrays.stream(codes.split(" "))
            .filter(code -> !code.isEmpty())
            .mapToInt(Integer::parseInt)
            .toArray();

    assertThat(new Formats(list).isBinary(column)).isEqualTo(binary);
  }
}
