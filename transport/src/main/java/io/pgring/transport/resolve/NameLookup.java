package io.pgring.transport.resolve;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;

/** Asks for the addresses of a host name. May block; called on the resolver's thread only. */
@FunctionalInterface
public interface NameLookup {
  /** All addresses of a host, of both families; at least one. */
  InetAddress[] addresses(String host) throws UnknownHostException;

  /**
   * The operating system's resolver: hosts file, DNS, whatever it is set up for.
   *
   * <p>The JVM puts a cache of its own in front (30 s, failures 10 s), which would hand old answers
   * to us for longer than our TTL. It is turned off here. The JVM reads these settings once, at its
   * first lookup of a name, so this must be called before anything in the process looks one up.
   */
  static NameLookup system() {
    Security.setProperty("networkaddress.cache.ttl", "0");
    Security.setProperty("networkaddress.cache.negative.ttl", "0");
    return InetAddress::getAllByName;
  }
}
