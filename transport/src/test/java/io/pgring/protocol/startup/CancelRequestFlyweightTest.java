package io.pgring.protocol.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.WireBytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class CancelRequestFlyweightTest {
  private static final int OFFSET = 5;

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
  private final CancelRequestFlyweight cancel = new CancelRequestFlyweight();

  @Test
  void readsPidAndKey() {
    assertThat(wrap("00000010 04d2162e 00000102 'keys'").valid()).isTrue();
    assertThat(cancel.pid()).isEqualTo(258);
    assertThat(WireBytes.text(buffer, cancel.keyOffset(), cancel.keyLength())).isEqualTo("keys");
  }

  @ParameterizedTest
  @CsvSource({"0, false", "3, false", "4, true", "32, true", "256, true", "257, false"})
  void takesKeysOf4To256Bytes(int keyLength, boolean valid) {
    int length = FrontendEncoder.cancelRequest(buffer, OFFSET, 1, new byte[keyLength]);
    assertThat(cancel.wrap(buffer, OFFSET, length).valid()).isEqualTo(valid);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000c 04d2162e 00000001",
        "00000010 04d2162f 00000102 'keys'",
        "00000011 04d2162e 00000102 'keys'"
      })
  void refusesOtherLayouts(String golden) {
    assertThat(wrap(golden).valid()).isFalse();
  }

  private CancelRequestFlyweight wrap(String golden) {
    byte[] bytes = WireBytes.of(golden);
    buffer.putBytes(OFFSET, bytes);
    return cancel.wrap(buffer, OFFSET, bytes.length);
  }
}
