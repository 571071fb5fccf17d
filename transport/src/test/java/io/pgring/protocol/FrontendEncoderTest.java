package io.pgring.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(10)
class FrontendEncoderTest {
  private static final int OFFSET = 3;

  interface Encoder {
    int encode(MutableDirectBuffer buffer, int offset);
  }

  static Stream<Arguments> messages() {
    return Stream.of(
        message(
            "startup",
            "00000022 00030000 'user' 00 'alice' 00 'database' 00 'shop' 00 00",
            (b, o) ->
                FrontendEncoder.startup(
                    b, o, FrontendMessage.PROTOCOL_3_0, "user", "alice", "database", "shop")),
        message(
            "cancelRequest",
            "00000010 04d2162e 00000102 0a0b0c0d",
            (b, o) -> FrontendEncoder.cancelRequest(b, o, 258, new byte[] {10, 11, 12, 13})),
        message("sslRequest", "00000008 04d2162f", FrontendEncoder::sslRequest),
        message(
            "password",
            "70 0000000b 'secret' 00",
            (b, o) -> FrontendEncoder.password(b, o, ascii("secret"))),
        message(
            "saslInitialResponse",
            "70 0000001c 'SCRAM-SHA-256' 00 00000006 'n,,n=,'",
            (b, o) -> FrontendEncoder.saslInitialResponse(b, o, "SCRAM-SHA-256", ascii("n,,n=,"))),
        message(
            "saslResponse",
            "70 0000000a 'c=biws'",
            (b, o) -> FrontendEncoder.saslResponse(b, o, ascii("c=biws"))),
        message(
            "query",
            "51 0000000d 'select 1' 00",
            (b, o) -> FrontendEncoder.query(b, o, "select 1")),
        message(
            "query of two, three and four byte characters",
            "51 0000000f 61 c3a9 e282ac f09f9880 00",
            (b, o) -> FrontendEncoder.query(b, o, "a\u00e9\u20ac\ud83d\ude00")),
        message(
            "query that no NUL ends early and no half pair spoils",
            "51 0000000c 'a?b?c??' 00",
            (b, o) -> FrontendEncoder.query(b, o, "a\0b\ud83dc\ude00\ud83d")),
        message(
            "parse",
            "50 0000001b 's1' 00 'select $1' 00 0002 00000017 00000000",
            (b, o) -> FrontendEncoder.parse(b, o, "s1", "select $1", 23, 0)),
        message(
            "parse under another name",
            "50 00000017 'p7' 00 'select $1' 00 0001 00000017",
            (b, o) -> {
              byte[] source = WireBytes.of("ff 'select $1' 00 0001 00000017 ff");
              UnsafeBuffer region = new UnsafeBuffer(source);
              return FrontendEncoder.parse(b, o, ascii("p7"), region, 1, source.length - 2);
            }),
        message(
            "bind",
            "42 0000000f 'p' 00 's1' 00 0000 0000 0000",
            (b, o) -> FrontendEncoder.bind(b, o, "p", "s1")),
        message(
            "describe",
            "44 00000008 'S' 's1' 00",
            (b, o) -> FrontendEncoder.describe(b, o, (byte) 'S', "s1")),
        message(
            "describe by bytes",
            "44 00000006 'P' 00",
            (b, o) -> FrontendEncoder.describe(b, o, (byte) 'P', new byte[0])),
        message(
            "close",
            "43 00000008 'S' 's1' 00",
            (b, o) -> FrontendEncoder.close(b, o, (byte) 'S', ascii("s1"))),
        message(
            "execute",
            "45 0000000a 'p' 00 00000064",
            (b, o) -> FrontendEncoder.execute(b, o, "p", 100)),
        message("sync", "53 00000004", FrontendEncoder::sync),
        message("flush", "48 00000004", FrontendEncoder::flush),
        message("terminate", "58 00000004", FrontendEncoder::terminate));
  }

  private static Arguments message(String name, String golden, Encoder encoder) {
    return arguments(name, golden, encoder);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("messages")
  void writesTheGoldenBytes(String name, String golden, Encoder encoder) {
    byte[] array = new byte[256];
    int length = encoder.encode(new UnsafeBuffer(array), OFFSET);
    assertThat(Arrays.copyOfRange(array, OFFSET, OFFSET + length)).isEqualTo(WireBytes.of(golden));
    assertThat(Arrays.copyOf(array, OFFSET)).containsOnly(0);
  }
}
