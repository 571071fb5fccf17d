package io.pgring.cases.login;

import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.int16;
import static io.pgring.testkit.wire.FrontendMessages.int32;
import static io.pgring.testkit.wire.FrontendMessages.message;
import static io.pgring.testkit.wire.FrontendMessages.startup;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.WireClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** Messages that are wrong in themselves, from clients that are logged in. */
@Timeout(30)
class MalformedMessageTest {
  private static final int MEBIBYTE = 1 << 20;

  /** Messages, and a regular expression for their trace up to ReadyForQuery or the end. */
  private static final Map<byte[], String> ENDING = new LinkedHashMap<>();

  private static final Map<byte[], String> ANSWERED = new LinkedHashMap<>();

  static {
    ENDING.put(
        message('?', bytes("x")), "\\QE[FATAL 08P01 invalid frontend message type 63] EOF\\E");
    ENDING.put(concat(bytes("Q"), int32(3)), "EOF");
    ENDING.put(concat(bytes("Q"), int32(-5)), "EOF");
    ENDING.put(concat(bytes("Q"), int32(1 << 30)), "EOF");
    ENDING.put(concat(bytes("d"), int32(Integer.MAX_VALUE)), "EOF");
    ENDING.put(
        message('p', bytes("x\0")), "\\QE[FATAL 08P01 invalid frontend message type 112] EOF\\E");
    ENDING.put(startup("user", "app"), "\\QE[FATAL 08P01 invalid frontend message type 0] EOF\\E");
    ANSWERED.put(message('Q', bytes("select 1")), "E\\[ERROR 08P01 .*] ZI");
    ANSWERED.put(message('Q', bytes("select 1\0select 2\0")), "E\\[ERROR 08P01 .*] ZI");
    ANSWERED.put(message('S', bytes("x")), "E\\[ERROR 08P01 .*] ZI");
    ANSWERED.put(concat(message('D', bytes("Z\0")), sync()), "E\\[ERROR 08P01 .*] ZI");
    ANSWERED.put(message('Q', bytes("select '\u00ff\u00fe'\0")), "E\\[ERROR 22021 .*] ZI");
    ANSWERED.put(
        concat(message('B', bytes("\0\0"), int16(0), int16(-1)), sync()), "E\\[ERROR .*] ZI");
  }

  @ProxyTest(compare = false)
  void endTheConnection(Rig rig) {
    ENDING.forEach(
        (bytes, trace) -> {
          WireClient client = rig.client();
          client.send(bytes);
          assertThat(client.trace()).as(new String(bytes, ISO_8859_1)).matches(trace);
          assertServes(rig);
        });
  }

  @ProxyTest(compare = false)
  void areAnsweredByAnError(Rig rig) {
    ANSWERED.forEach(
        (bytes, trace) -> {
          WireClient client = rig.client();
          client.send(bytes);
          assertThat(client.trace()).as(new String(bytes, ISO_8859_1)).matches(trace);
          assertThat(client.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
          assertServes(rig);
        });
  }

  @ProxyTest(compare = false)
  void theRestIsWaitedFor(Rig rig) {
    WireClient client = rig.client();
    client.send(concat(bytes("Q"), int32(4 + "select 1\0".length()), bytes("sel")));
    assertThat(client.silentFor(Duration.ofMillis(200))).isTrue();
    assertServes(rig);
    client.send(bytes("ect 1\0"));
    assertThat(client.trace()).isEqualTo("T D('1',) C[SELECT 1] ZI");
  }

  /** More memory is announced than there is; a client that keeps its word is served meanwhile. */
  @ProxyTest(direct = false, compare = false)
  void announcedLengthsReserveNoMemory(Rig rig) {
    for (char type : "QPBd".toCharArray()) {
      for (int i = 0; i < 10; i++) {
        rig.bystander().send(concat(bytes("" + type), int32(900 * MEBIBYTE), bytes("announced")));
      }
      assertServes(rig);
    }
  }

  private static void assertServes(Rig rig) {
    try (WireClient other = rig.bystander()) {
      assertThat(other.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
