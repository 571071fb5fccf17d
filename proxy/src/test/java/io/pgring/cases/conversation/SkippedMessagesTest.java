package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.closeStatement;
import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.describeStatement;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.testkit.ProxyTest;
import io.pgring.testkit.Rig;
import io.pgring.testkit.wire.Login;
import io.pgring.testkit.wire.WireClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that prepare and close statements and that PostgreSQL skips behind an error of their
 * unit, with what uses the names in later units, sent at once or one by one.
 */
@Timeout(60)
class SkippedMessagesTest {
  private static final byte[] FAILS = parse("", "SELECT nonsense");

  private static final byte[][][] CONVERSATIONS = {
    // A Close is skipped: the name is still there.
    {unit(parse("s", "SELECT 1")), unit(FAILS, closeStatement("s")), use("s")},
    {unit(parse("s", "SELECT 1")), unit(closeStatement("s"), FAILS), use("s")},
    {unit(parse("s", "SELECT 1")), unit(closeStatement("s")), use("s")},
    // So a Parse of the same name meets it.
    {
      unit(parse("s", "SELECT 1")),
      unit(FAILS, closeStatement("s")),
      unit(parse("s", "SELECT 2")),
      use("s")
    },
    // A Close and a Parse of the same name, of which both, one or none are skipped.
    {
      unit(parse("s", "SELECT 1")),
      unit(FAILS, closeStatement("s"), parse("s", "SELECT 2")),
      use("s")
    },
    {
      unit(parse("s", "SELECT 1")),
      unit(closeStatement("s"), FAILS, parse("s", "SELECT 2")),
      use("s")
    },
    {
      unit(parse("s", "SELECT 1")),
      unit(closeStatement("s"), parse("s", "SELECT 2"), FAILS),
      use("s")
    },
    {
      unit(parse("s", "SELECT 1")),
      unit(closeStatement("s"), parse("s", "SELECT nonsense")),
      use("s")
    },
    // A Parse is skipped: there is no such name.
    {unit(FAILS, parse("s", "SELECT 1")), use("s")},
    {unit(FAILS, parse("s", "SELECT 1")), unit(parse("s", "SELECT 2")), use("s")},
    {unit(FAILS, parse("s", "SELECT 1"), closeStatement("s")), use("s")},
    {unit(parse("s", "SELECT 1"), FAILS, closeStatement("s")), use("s")},
    {unit(parse("s", "SELECT 1"), closeStatement("s"), FAILS), use("s")},
    // A text that fails, and the name behind it.
    {unit(parse("s", "SELECT nonsense")), use("s"), unit(parse("s", "SELECT 1")), use("s")},
    // All statements go, and one is prepared behind that.
    {unit(parse("s", "SELECT 1")), query("DEALLOCATE ALL"), unit(parse("t", "SELECT 2")), use("t")},
    {unit(parse("s", "SELECT 1")), query("DISCARD ALL"), unit(parse("t", "SELECT 2")), use("t")},
  };

  // An error of pgring's own lacks the place in PostgreSQL's source, so traces are compared here.

  @ProxyTest(direct = false, compare = false)
  void oneUnitAfterTheOther(Rig rig) {
    for (byte[][] conversation : CONVERSATIONS) {
      assertAsDirect(
          rig,
          client -> {
            StringBuilder trace = new StringBuilder();
            for (byte[] unit : conversation) {
              client.send(unit);
              trace.append(client.trace()).append('\n');
            }
            return trace.toString();
          });
    }
  }

  @ProxyTest(direct = false, compare = false)
  void allUnitsAtOnce(Rig rig) {
    for (byte[][] conversation : CONVERSATIONS) {
      assertAsDirect(
          rig,
          client -> {
            client.send(concat(conversation));
            return client.trace("Z", conversation.length);
          });
    }
  }

  private static void assertAsDirect(Rig rig, Function<WireClient, String> conversation) {
    InetSocketAddress server =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.server().port());
    try (WireClient direct = WireClient.connect(server, Login.APP);
        WireClient client = rig.client()) {
      String expected = conversation.apply(direct);
      assertThat(conversation.apply(client)).isEqualTo(expected);
    }
  }

  @ProxyTest
  void aCloseBehindAnErrorKeepsTheStatement(Rig rig) {
    WireClient client = rig.client();
    client.send(unit(parse("s", "SELECT 7")));
    assertThat(client.trace()).isEqualTo("1 ZI");
    client.send(unit(FAILS, closeStatement("s")));
    assertThat(client.trace()).startsWith("E[").endsWith("ZI");
    client.send(use("s"));
    assertThat(client.trace()).isEqualTo("t T 2 D('7',) C[SELECT 1] ZI");
  }

  private static byte[] unit(byte[]... messages) {
    return concat(concat(messages), sync());
  }

  private static byte[] use(String name) {
    return unit(describeStatement(name), bind("", name), execute());
  }
}
