package io.pgring.transport.resolve;

import io.pgring.transport.Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the names of servers resolved: looks each one up at once and again after every TTL, and
 * keeps the last answer when that fails. Runs on a thread of its own, which may hang in a lookup
 * for as long as the system's resolver takes; between lookups it has nothing to do, so a runner
 * that sleeps 100 ms suits it. IP addresses and Unix paths never come here.
 */
public final class ResolverAgent implements Agent {
  private static final Logger LOG = LoggerFactory.getLogger(ResolverAgent.class);
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

  /**
   * A name without any answer keeps its clients waiting, so it is tried more often than its TTL
   * says.
   */
  private static final long UNKNOWN_RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  private final NameLookup lookup;
  private final NanoClock clock;
  private final long ttlNs;
  private final Consumer<ResolvedAddress> onChange;
  private final Map<Address, ResolvedAddress> names = new ConcurrentHashMap<>();

  /**
   * @param ttlNs time between two lookups of a name
   * @param onChange called on the resolver's thread after a name has got its first or other
   *     addresses; connections to addresses that are no longer among {@link
   *     ResolvedAddress#current()} should be retired
   */
  public ResolverAgent(
      NameLookup lookup, NanoClock clock, long ttlNs, Consumer<ResolvedAddress> onChange) {
    this.lookup = lookup;
    this.clock = clock;
    this.ttlNs = ttlNs;
    this.onChange = onChange;
  }

  /**
   * Returns the socket addresses behind an address: complete at once for IP addresses and Unix
   * sockets, else filled in by the agent. Equal names give the same object. Any thread; does not
   * wait.
   */
  public ResolvedAddress watch(Address address) {
    SocketAddress literal = literal(address);
    if (literal != null) {
      return new ResolvedAddress(address, List.of(literal), 0);
    }
    return names.computeIfAbsent(
        address, name -> new ResolvedAddress(name, List.of(), clock.nanoTime()));
  }

  /** Stops looking up names that are not in use any more, after a reload. Any thread. */
  public void retain(Collection<Address> inUse) {
    names.keySet().retainAll(inUse);
  }

  /** Looks up every name that is due. */
  @Override
  public int doWork() {
    int lookups = 0;
    for (ResolvedAddress name : names.values()) {
      if (clock.nanoTime() - name.nextLookupNs >= 0) {
        lookUp(name);
        lookups++;
      }
    }
    return lookups;
  }

  @Override
  public String roleName() {
    return "resolver";
  }

  private void lookUp(ResolvedAddress name) {
    try {
      onAnswer(name, lookup.addresses(name.address().host()));
    } catch (UnknownHostException e) {
      onFailure(name, e);
    } finally {
      boolean unknown = name.current().isEmpty();
      name.nextLookupNs = clock.nanoTime() + (unknown ? Math.min(ttlNs, UNKNOWN_RETRY_NS) : ttlNs);
    }
  }

  private void onAnswer(ResolvedAddress name, InetAddress[] addresses) {
    if (name.failing) {
      name.failing = false;
      LOG.info("{} can be resolved again", name.address());
    }
    int port = name.address().port();
    List<SocketAddress> answer =
        Arrays.stream(addresses).<SocketAddress>map(ip -> new InetSocketAddress(ip, port)).toList();
    if (name.update(answer)) {
      LOG.info("{} is {}", name.address(), answer);
      onChange.accept(name);
    }
  }

  private void onFailure(ResolvedAddress name, UnknownHostException e) {
    if (!name.failing) {
      name.failing = true;
      LOG.warn(
          "cannot resolve {} ({}); going on with {}",
          name.address(),
          e.getMessage(),
          name.current().isEmpty() ? "nothing" : name.current());
    }
  }

  private static SocketAddress literal(Address address) {
    if (address.isUnix()) {
      return UnixDomainSocketAddress.of(address.path());
    }
    String host = address.host();
    boolean ipv6 = host.indexOf(':') >= 0;
    if (!ipv6 && !IPV4.matcher(host).matches()) {
      return null;
    }
    try {
      // The brackets keep Java from looking up as a name what is no IPv6 address after all.
      InetAddress ip = InetAddress.getByName(ipv6 ? "[" + host + "]" : host);
      return new InetSocketAddress(ip, address.port());
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
