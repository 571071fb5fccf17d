package io.pgring.transport.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.transport.Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ResolverAgentTest {
  private static final long TTL_NS = TimeUnit.SECONDS.toNanos(15);
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final Address DB = Address.parse("db:5432");

  private final Map<String, String[]> zone = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final List<ResolvedAddress> changes = new ArrayList<>();
  // Close to the overflow, which System.nanoTime() may be at any time.
  private long nowNs = Long.MAX_VALUE - SECOND_NS;
  private final ResolverAgent agent =
      new ResolverAgent(this::lookUp, () -> nowNs, TTL_NS, changes::add);

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:5432, /127.0.0.1:5432",
    "[::1]:5432, /[0:0:0:0:0:0:0:1]:5432",
    "255.249.199.0:1, /255.249.199.0:1"
  })
  void knowsIpAddressesAtOnce(String text, String expected) {
    ResolvedAddress address = agent.watch(Address.parse(text));

    assertThat(address.pick()).hasToString(expected);
    assertThat(address.current()).hasSize(1);
    assertThat(agent.doWork()).isZero();
  }

  @Test
  void knowsUnixPathsAtOnce() {
    ResolvedAddress address = agent.watch(Address.parse("unix:/run/.s.PGSQL.5432"));

    assertThat(address.pick()).isEqualTo(UnixDomainSocketAddress.of("/run/.s.PGSQL.5432"));
    assertThat(agent.doWork()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"999.1.1.1:5432", "1.2.3:5432", "[zz::1]:5432"})
  void looksUpWhatOnlyResemblesAnIpAddress(String text) {
    assertThat(agent.watch(Address.parse(text)).pick()).isNull();
    assertThat(asked).isEmpty();
    assertThat(agent.doWork()).isOne();
  }

  @Test
  void learnsAllAddressesOfBothFamilies() {
    zone.put("db", new String[] {"192.0.2.1", "192.0.2.2", "2001:db8::1"});
    ResolvedAddress db = agent.watch(DB);
    assertThat(db.pick()).isNull();

    assertThat(agent.doWork()).isOne();
    assertThat(db.current()).containsExactly(at("192.0.2.1"), at("192.0.2.2"), at("2001:db8::1"));
    assertThat(changes).containsExactly(db);
  }

  @Test
  void asksAgainAfterTheTtlAndTellsOnlyChanges() {
    zone.put("db", new String[] {"192.0.2.1"});
    ResolvedAddress db = agent.watch(DB);
    agent.doWork();
    nowNs += TTL_NS - 1;
    assertThat(agent.doWork()).isZero();
    nowNs += 1;
    assertThat(agent.doWork()).isOne();
    assertThat(changes).hasSize(1);

    zone.put("db", new String[] {"192.0.2.9"});
    nowNs += TTL_NS;
    assertThat(agent.doWork()).isOne();
    assertThat(changes).hasSize(2);
    assertThat(db.current()).containsExactly(at("192.0.2.9"));
  }

  @Test
  void aFailureKeepsTheLastAnswer() {
    zone.put("db", new String[] {"192.0.2.1"});
    ResolvedAddress db = agent.watch(DB);
    agent.doWork();
    zone.clear();
    nowNs += TTL_NS;

    assertThat(agent.doWork()).isOne();
    assertThat(db.current()).containsExactly(at("192.0.2.1"));
    assertThat(changes).hasSize(1);
    nowNs += SECOND_NS;
    assertThat(agent.doWork()).isZero();
  }

  @Test
  void aNameWithoutAnyAnswerIsTriedEverySecond() {
    ResolvedAddress db = agent.watch(DB);
    assertThat(agent.doWork()).isOne();
    assertThat(agent.doWork()).isZero();
    zone.put("db", new String[] {"192.0.2.1"});
    nowNs += SECOND_NS;

    assertThat(agent.doWork()).isOne();
    assertThat(db.pick()).isEqualTo(at("192.0.2.1"));
  }

  @Test
  void oneNameIsLookedUpOnceForAllItsUsers() {
    assertThat(agent.watch(DB)).isSameAs(agent.watch(Address.parse("db:5432")));
    agent.doWork();
    assertThat(asked).containsExactly("db");
  }

  @Test
  void forgetsNamesThatAreNotInUse() {
    agent.watch(DB);
    agent.watch(Address.parse("other:5432"));
    agent.retain(List.of(DB));
    agent.doWork();

    assertThat(asked).containsExactly("db");
  }

  @Test
  void aFaultyCallbackDoesNotCauseLookupsWithoutPause() {
    zone.put("db", new String[] {"192.0.2.1"});
    ResolverAgent faulty =
        new ResolverAgent(
            this::lookUp,
            () -> nowNs,
            TTL_NS,
            name -> {
              throw new IllegalStateException("fault");
            });
    faulty.watch(DB);

    assertThatThrownBy(faulty::doWork).hasMessage("fault");
    assertThat(faulty.doWork()).isZero();
  }

  private InetAddress[] lookUp(String host) throws UnknownHostException {
    asked.add(host);
    String[] texts = zone.get(host);
    if (texts == null) {
      throw new UnknownHostException(host);
    }
    InetAddress[] addresses = new InetAddress[texts.length];
    for (int i = 0; i < texts.length; i++) {
      addresses[i] = InetAddress.getByName(texts[i]);
    }
    return addresses;
  }

  private static SocketAddress at(String ip) {
    return new InetSocketAddress(ip, 5432);
  }
}
