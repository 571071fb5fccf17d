package io.pgring.transport.resolve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * A process for {@link SystemLookupTest}, which answers each host name on its input with the first
 * address.
 */
final class SystemLookupChild {
  private SystemLookupChild() {}

  public static void main(String[] args) throws IOException {
    NameLookup lookup = NameLookup.system();
    BufferedReader hosts =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String host = hosts.readLine(); host != null; host = hosts.readLine()) {
      System.out.println(answer(lookup, host));
    }
  }

  private static String answer(NameLookup lookup, String host) {
    try {
      return lookup.addresses(host)[0].getHostAddress();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
