package io.pgring.protocol.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.WireBytes;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class StartupFlyweightTest {
  private static final int OFFSET = 5;

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16 * 1024]);
  private final StartupFlyweight startup = new StartupFlyweight();

  @Test
  void readsPairs() {
    wrap("00000025 00030002 'user' 00 'alice' 00 'database' 00 'shop' 00 'o' 00 00 00");
    assertThat(startup.valid()).isTrue();
    assertThat(startup.protocol()).isEqualTo(FrontendMessage.PROTOCOL_3_2);
    assertThat(pairs()).containsExactly("user=alice", "database=shop", "o=");
    assertThat(startup.next()).isFalse();
    startup.rewind();
    assertThat(pairs()).hasSize(3);
  }

  @Test
  void readsPacketWithoutPairs() {
    assertThat(wrap("00000009 00030000 00").valid()).isTrue();
    assertThat(startup.next()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000008 00030000",
        "00000016 00030000 'user' 00 'postgres' 00",
        "0000000e 00030000 'user' 00 00",
        "0000000d 00030000 'user' 00",
        "0000000f 00030000 'user' 00 'a' 00",
        "0000000e 00030000 'user' 00 'a'",
        "00000011 00030000 'user' 00 'a' 00 00 00",
        "0000000a 00030000 00 00",
        "00000004",
        "ffffffff 00030000 00"
      })
  void refusesOtherLayouts(String golden) {
    assertThat(wrap(golden).valid()).isFalse();
    assertThat(startup.next()).isFalse();
  }

  @Test
  void refusesMoreThanPostgresTakes() {
    int fixed = 4 + 4 + "user".length() + 1 + 1 + 1;
    String longest = "x".repeat(StartupFlyweight.MAX_LENGTH - fixed);
    assertThat(encoded(longest).valid()).isTrue();
    assertThat(encoded(longest + "x").valid()).isFalse();
  }

  private StartupFlyweight encoded(String user) {
    int length =
        FrontendEncoder.startup(buffer, OFFSET, FrontendMessage.PROTOCOL_3_0, "user", user);
    return startup.wrap(buffer, OFFSET, length);
  }

  private StartupFlyweight wrap(String golden) {
    byte[] bytes = WireBytes.of(golden);
    buffer.putBytes(OFFSET, bytes);
    return startup.wrap(buffer, OFFSET, bytes.length);
  }

  private List<String> pairs() {
    List<String> pairs = new ArrayList<>();
    while (startup.next()) {
      pairs.add(
          WireBytes.text(buffer, startup.nameOffset(), startup.nameLength())
              + "="
              + WireBytes.text(buffer, startup.valueOffset(), startup.valueLength()));
    }
    return pairs;
  }
}
