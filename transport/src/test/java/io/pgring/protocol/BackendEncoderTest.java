package io.pgring.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(10)
class BackendEncoderTest {
  private static final int OFFSET = 3;

  interface Encoder {
    int encode(MutableDirectBuffer buffer, int offset);
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        message(
            "errorResponse",
            "45 00000025 'SFATAL' 00 'VFATAL' 00 'C57P01' 00 'Mbye' 00 'Dd' 00 'Hh' 00 00",
            (b, o) -> BackendEncoder.errorResponse(b, o, "FATAL", "57P01", "bye", "d", "h")),
        message(
            "errorResponse without detail and hint",
            "45 00000020 'SERROR' 00 'VERROR' 00 'C42601' 00 'Mno' c3a9 00 00",
            (b, o) -> BackendEncoder.errorResponse(b, o, "ERROR", "42601", "no\u00e9", null, null)),
        message(
            "noticeResponse",
            "4e 00000023 'SNOTICE' 00 'VNOTICE' 00 'C00000' 00 'Mhi' 00 'Hh' 00 00",
            (b, o) -> BackendEncoder.noticeResponse(b, o, "NOTICE", "00000", "hi", null, "h")));
  }

  static Stream<Arguments> login() {
    return Stream.of(
        message("authenticationOk", "52 00000008 00000000", BackendEncoder::authenticationOk),
        message(
            "authenticationCleartextPassword",
            "52 00000008 00000003",
            BackendEncoder::authenticationCleartextPassword),
        message(
            "authenticationMd5Password",
            "52 0000000c 00000005 01020304",
            (b, o) -> BackendEncoder.authenticationMd5Password(b, o, new byte[] {1, 2, 3, 4})),
        message(
            "authenticationSasl",
            "52 0000002a 0000000a 'SCRAM-SHA-256-PLUS' 00 'SCRAM-SHA-256' 00 00",
            (b, o) ->
                BackendEncoder.authenticationSasl(b, o, "SCRAM-SHA-256-PLUS", "SCRAM-SHA-256")),
        message(
            "authenticationSaslContinue",
            "52 0000000b 0000000b 'r=a'",
            (b, o) -> BackendEncoder.authenticationSaslContinue(b, o, WireBytes.of("'r=a'"))),
        message(
            "authenticationSaslFinal",
            "52 0000000b 0000000c 'v=b'",
            (b, o) -> BackendEncoder.authenticationSaslFinal(b, o, WireBytes.of("'v=b'"))),
        message(
            "parameterStatus",
            "53 00000015 'TimeZone' 00 'Etc/UTC' 00",
            (b, o) -> BackendEncoder.parameterStatus(b, o, "TimeZone", "Etc/UTC")),
        message(
            "backendKeyData",
            "4b 0000000c 00000102 0a0b0c0d",
            (b, o) -> BackendEncoder.backendKeyData(b, o, 258, new byte[] {10, 11, 12, 13})),
        // Recorded from PostgreSQL 15 asked for 3.9 and one option it does not know.
        message(
            "negotiateProtocolVersion",
            "76 00000015 00030000 00000001 '_pq_.foo' 00",
            (b, o) ->
                BackendEncoder.negotiateProtocolVersion(
                    b, o, FrontendMessage.PROTOCOL_3_0, List.of("_pq_.foo"))));
  }

  static Stream<Arguments> results() {
    return Stream.of(
        message(
            "readyForQuery",
            "5a 00000005 'T'",
            (b, o) -> BackendEncoder.readyForQuery(b, o, TransactionStatus.IN_TRANSACTION)),
        message(
            "commandComplete",
            "43 0000000d 'SELECT 1' 00",
            (b, o) -> BackendEncoder.commandComplete(b, o, "SELECT 1")),
        message("parseComplete", "31 00000004", BackendEncoder::parseComplete),
        message("bindComplete", "32 00000004", BackendEncoder::bindComplete),
        message("closeComplete", "33 00000004", BackendEncoder::closeComplete),
        message("noData", "6e 00000004", BackendEncoder::noData),
        message("emptyQueryResponse", "49 00000004", BackendEncoder::emptyQueryResponse),
        message("portalSuspended", "73 00000004", BackendEncoder::portalSuspended),
        message(
            "rowDescription",
            """
            54 0000002f 0002
            'a' 00 00000000 0000 00000017 0004 ffffffff 0000
            'bc' 00 00000000 0000 00000019 ffff ffffffff 0000
            """,
            (b, o) ->
                BackendEncoder.rowDescription(b, o, new String[] {"a", "bc"}, new int[] {23, 25})),
        message(
            "parameterDescription",
            "74 0000000e 0002 00000017 00000019",
            (b, o) -> BackendEncoder.parameterDescription(b, o, 23, 25)),
        message(
            "dataRow",
            "44 00000014 0003 00000002 '42' ffffffff 00000000",
            (b, o) -> BackendEncoder.dataRow(b, o, "42", null, "")));
  }

  private static Arguments message(String name, String golden, Encoder encoder) {
    return arguments(name, golden, encoder);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"errors", "login", "results"})
  void writesTheGoldenBytes(String name, String golden, Encoder encoder) {
    byte[] array = new byte[256];
    int length = encoder.encode(new UnsafeBuffer(array), OFFSET);
    assertThat(Arrays.copyOfRange(array, OFFSET, OFFSET + length)).isEqualTo(WireBytes.of(golden));
    assertThat(Arrays.copyOf(array, OFFSET)).containsOnly(0);
  }

  @Test
  void boundsTheLengthOfAnError() {
    String wide = "\u20ac".repeat(7);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    assertThat(BackendEncoder.errorResponse(buffer, 0, wide, wide, wide, wide, wide))
        .isEqualTo(BackendEncoder.errorResponseLength(wide, wide, wide, wide, wide));
    assertThat(BackendEncoder.errorResponse(buffer, 0, wide, wide, wide, null, null))
        .isEqualTo(BackendEncoder.errorResponseLength(wide, wide, wide, null, null));
  }
}
