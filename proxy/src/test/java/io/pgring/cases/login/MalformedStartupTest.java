package io.pgring.cases.login;

import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.int32;
import static io.pgring.testkit.wire.FrontendMessages.startup;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.FrontendMessages;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** First messages that are none, from clients that nobody has authenticated yet. */
@Timeout(30)
class MalformedStartupTest {
  private static final int PROTOCOL_2_0 = 2 << 16;
  private static final int PROTOCOL_4_0 = 4 << 16;
  private static final int PROTOCOL_3_0 = FrontendMessages.PROTOCOL_3_0;
  private static final int CANCEL = 80877102;

  /** Closed without a word: lengths that no startup message has, and other protocols. */
  private static final Map<String, byte[]> CLOSED = new LinkedHashMap<>();

  /** Answered by an error with this SQLSTATE before the end. */
  private static final Map<String, byte[]> REFUSED = new LinkedHashMap<>();

  static {
    CLOSED.put("length 0", int32(0));
    CLOSED.put("length 4", int32(4));
    CLOSED.put("length 7", concat(int32(7), bytes("abc")));
    CLOSED.put("length 20000", concat(int32(20000), int32(PROTOCOL_3_0)));
    CLOSED.put("length -1", concat(int32(-1), bytes("x".repeat(20))));
    CLOSED.put("length 2^31-1", concat(int32(Integer.MAX_VALUE), int32(PROTOCOL_3_0)));
    CLOSED.put("HTTP", bytes("GET / HTTP/1.0\r\n\r\n"));
    CLOSED.put("short cancel", concat(int32(12), int32(CANCEL), int32(1)));
    REFUSED.put("08P01 length 8", concat(int32(8), int32(PROTOCOL_3_0)));
    REFUSED.put(
        "08P01 no terminator", concat(int32(22), int32(PROTOCOL_3_0), bytes("user\0postgres\0")));
    REFUSED.put("28000 empty user", startup("user", ""));
    REFUSED.put("0A000 version 4", startup(PROTOCOL_4_0, "user", "app"));
  }

  @ProxyTest(compare = false)
  void closedWithoutAnAnswer(Rig rig) {
    CLOSED.forEach(
        (what, bytes) -> {
          assertThat(answer(rig, bytes)).as(what).isEmpty();
          assertThat(rig.client().query("SELECT 1")).as("after " + what).endsWith("ZI");
        });
  }

  @ProxyTest(compare = false)
  void refusedWithAnError(Rig rig) {
    REFUSED.forEach(
        (what, bytes) -> {
          assertThat(answer(rig, bytes))
              .as(what)
              .startsWith("E")
              .contains("SFATAL\0")
              .contains("C" + what.substring(0, 5) + "\0");
          assertThat(rig.client().query("SELECT 1")).as("after " + what).endsWith("ZI");
        });
  }

  /** Version 2 has no length in its error message, so its form is not looked at. */
  @ProxyTest(compare = false)
  void version2IsRefused(Rig rig) {
    assertThat(answer(rig, concat(int32(8), int32(PROTOCOL_2_0)))).doesNotContain("R\0\0\0");
    assertThat(rig.client().query("SELECT 1")).endsWith("ZI");
  }

  @ProxyTest
  void aNewerMinorVersionIsNegotiated(Rig rig) {
    WireClient client = rig.client(Login.APP.protocol(3 << 16 | 999));
    assertThat(client.loginReplies().get(0).type()).isEqualTo('v');
    assertThat(client.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
  }

  @ProxyTest
  void unknownProtocolOptionsAreNamed(Rig rig) {
    WireClient client = rig.client(Login.APP.with("_pq_.absent", "1"));
    assertThat(client.loginReplies().get(0).type()).isEqualTo('v');
    assertThat(client.query("SELECT 1")).isEqualTo("T D('1',) C[SELECT 1] ZI");
  }

  private static String answer(Rig rig, byte[] bytes) {
    try (WireClient client = WireClient.connect(rig.address())) {
      client.send(bytes);
      return new String(client.readToEnd(), ISO_8859_1);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
