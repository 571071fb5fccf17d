package io.pgring.transport;

import java.nio.charset.Charset;

/**
 * Where to listen or connect, as written in the configuration: {@code host:port}, {@code
 * [IPv6]:port} or {@code unix:/path}; without a port it is 5432. Immutable; equal when written
 * alike. A host may be a name, an address or, for listening, {@code *}.
 */
public final class Address {
  /**
   * Longest path of a Unix socket in bytes. Linux would take one more, but Java keeps two of the
   * 108 bytes of {@code sun_path} to itself.
   */
  public static final int MAX_PATH_BYTES = 106;

  private static final String UNIX_PREFIX = "unix:";
  private static final int MAX_PORT = 65_535;
  private static final int DEFAULT_PORT = 5432;

  private final String host;
  private final int port;
  private final String path;

  private Address(String host, int port, String path) {
    this.host = host;
    this.port = port;
    this.path = path;
  }

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException with a sentence for the operator when the text is no address
   */
  public static Address parse(String text) {
    if (text.startsWith(UNIX_PREFIX)) {
      return new Address(null, 0, path(text, text.substring(UNIX_PREFIX.length())));
    }
    int colon = text.lastIndexOf(':');
    boolean withoutPort = colon < 0 || text.endsWith("]");
    if (text.isEmpty() || colon == 0) {
      throw new IllegalArgumentException(
          "'" + text + "' must be host:port, [IPv6 address]:port or unix:/path");
    }
    return withoutPort
        ? new Address(host(text, text), DEFAULT_PORT, null)
        : new Address(
            host(text, text.substring(0, colon)), port(text, text.substring(colon + 1)), null);
  }

  private static String path(String text, String path) {
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "' must be unix: and an absolute path of a socket file");
    }
    Charset fileNames = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    int lengthBytes = path.getBytes(fileNames).length;
    if (lengthBytes > MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "': the path has "
              + lengthBytes
              + " bytes, and a Unix socket's can have "
              + MAX_PATH_BYTES);
    }
    return path;
  }

  private static String host(String text, String host) {
    if (host.startsWith("[") && host.endsWith("]") && host.indexOf(':') > 0) {
      return host.substring(1, host.length() - 1);
    }
    if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "': an IPv6 address is written in brackets, like [::1]:5432");
    }
    if (host.indexOf('[') >= 0 || host.indexOf(']') >= 0 || host.indexOf(' ') >= 0) {
      throw new IllegalArgumentException("'" + text + "': '" + host + "' is no host");
    }
    return host;
  }

  private static int port(String text, String digits) {
    boolean numeric = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!numeric || digits.length() > 5 || Integer.parseInt(digits) > MAX_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "': '" + digits + "' is no port, which is a number from 0 to " + MAX_PORT);
    }
    return Integer.parseInt(digits);
  }

  /** Whether this is a Unix socket; it has a path then, and otherwise a host and a port. */
  public boolean isUnix() {
    return path != null;
  }

  /** Name or address without brackets; null for a Unix socket. */
  public String host() {
    return host;
  }

  /** TCP port, 0 for a free one when listening; 0 for a Unix socket. */
  public int port() {
    return port;
  }

  /** Absolute path of the socket file; null for TCP. */
  public String path() {
    return path;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Address that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    if (isUnix()) {
      return UNIX_PREFIX + path;
    }
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
