package io.pgring.transport.resolve;

import io.pgring.transport.Address;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A server's address and the socket addresses that it stands for at the moment. Lives from {@link
 * ResolverAgent#watch} until the configuration drops the address. Read by all lanes, which never
 * wait here; written by the resolver's thread.
 */
public final class ResolvedAddress {
  private final Address address;
  private final AtomicReference<Answer> answer;

  // Owned by the resolver's thread.
  long nextLookupNs;
  boolean failing;

  ResolvedAddress(Address address, List<SocketAddress> known, long nextLookupNs) {
    this.address = address;
    this.answer = new AtomicReference<>(new Answer(known, 0));
    this.nextLookupNs = nextLookupNs;
  }

  /** The address as it was configured. */
  public Address address() {
    return address;
  }

  /** All socket addresses of the last successful lookup; empty before the first. Immutable. */
  public List<SocketAddress> current() {
    return answer.get().addresses;
  }

  /** The one to connect to next, or null before the first successful lookup. Allocates nothing. */
  public SocketAddress pick() {
    return answer.get().pick();
  }

  /**
   * Makes {@link #pick()} move on to the next address in turn, for everybody, if it still returns
   * the given one: whoever fails after others have moved on does not move a second time.
   */
  public void failed(SocketAddress connectedTo) {
    Answer now = answer.get();
    if (connectedTo.equals(now.pick())) {
      int next = (now.preferred + 1) % now.addresses.size();
      answer.compareAndSet(now, new Answer(now.addresses, next));
    }
  }

  /**
   * Takes over the addresses of a lookup; false when they are the same in whatever order, as DNS
   * likes to rotate them.
   */
  boolean update(List<SocketAddress> addresses) {
    Answer now = answer.get();
    if (new HashSet<>(now.addresses).equals(new HashSet<>(addresses))) {
      return false;
    }
    answer.set(new Answer(addresses, Math.max(0, addresses.indexOf(now.pick()))));
    return true;
  }

  /** Addresses with the index of the preferred one, which change together. */
  private record Answer(List<SocketAddress> addresses, int preferred) {
    SocketAddress pick() {
      return addresses.isEmpty() ? null : addresses.get(preferred);
    }
  }
}
