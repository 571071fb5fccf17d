package io.pgring.configfile;

import io.pgring.transport.Address;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * A server, a user and a database as libpq writes them: {@code
 * postgresql://user[:password]@host[:port][/database]}, parts percent-encoded; a host that starts
 * with an encoded slash is the directory of a Unix socket. It stands for the smallest
 * configuration. Immutable.
 *
 * @param user who logs in, to pgring and to the server
 * @param password null when the URI has none
 * @param server where the server is
 * @param database its name; the user's name when the URI has none, as in libpq
 */
public record ConnectionUri(String user, String password, Address server, String database) {
  /** Variable that {@link #yaml} takes the password from. */
  public static final String PASSWORD_VARIABLE = "PGPASSWORD";

  private static final String SCHEMES = "postgres(ql)?://.*";
  private static final String FORM = "write postgresql://user@host:port/database";
  private static final int DEFAULT_PORT = 5432;

  /**
   * Reads a URI.
   *
   * @throws IllegalArgumentException with a sentence for the operator that does not repeat the URI,
   *     which may hold a password
   */
  public static ConnectionUri parse(String uri) {
    require(uri.matches(SCHEMES), "it does not start with postgresql://");
    String rest = uri.substring(uri.indexOf("://") + "://".length());
    require(rest.indexOf('?') < 0, "parameters after ? are not supported");
    int slash = rest.indexOf('/');
    String authority = slash < 0 ? rest : rest.substring(0, slash);
    String database = slash < 0 ? "" : decoded(rest.substring(slash + 1));
    int at = authority.lastIndexOf('@');
    require(at > 0, "it names no user");
    String login = authority.substring(0, at);
    int colon = login.indexOf(':');
    String user = decoded(colon < 0 ? login : login.substring(0, colon));
    String password = colon < 0 ? "" : decoded(login.substring(colon + 1));
    require(!user.isEmpty(), "it names no user");
    return new ConnectionUri(
        user,
        password.isEmpty() ? null : password,
        server(authority.substring(at + 1)),
        database.isEmpty() ? user : database);
  }

  private static Address server(String text) {
    require(!text.isEmpty() && !text.startsWith(":"), "it names no host");
    require(text.indexOf(',') < 0, "it names several hosts");
    String server = decoded(text);
    if (!server.startsWith("/")) {
      return Address.parse(server);
    }
    int colon = server.lastIndexOf(':');
    String directory = colon < 0 ? server : server.substring(0, colon);
    String port = colon < 0 ? String.valueOf(DEFAULT_PORT) : server.substring(colon + 1);
    return Address.parse("unix:" + directory + "/.s.PGSQL." + port);
  }

  /**
   * The configuration with this server behind pgring.
   *
   * @param listen where clients connect
   * @param passwordOrNull the user's password; null when neither pgring nor the server asks for one
   */
  public LoadedConfig load(Address listen, String passwordOrNull) {
    Map<String, String> environment =
        passwordOrNull == null ? Map.of() : Map.of(PASSWORD_VARIABLE, passwordOrNull);
    String yaml = yaml(listen, passwordOrNull != null);
    return ConfigFile.parse(yaml, "--to", Path.of(""), environment);
  }

  /**
   * The text of a file with the same effect; the password is not in it.
   *
   * @param listen where clients connect
   * @param hasPassword whether the user has a password; it comes from {@link #PASSWORD_VARIABLE}
   */
  public String yaml(Address listen, boolean hasPassword) {
    String login =
        hasPassword ? "password: { env: " + PASSWORD_VARIABLE + " }" : "auth_type: trust";
    return """
        listen: [%s]
        databases:
          %s: { primary: %s }
        users:
          %s: { %s }
        """
        .formatted(
            quoted(listen.toString()),
            quoted(database),
            quoted(server.toString()),
            quoted(user),
            login);
  }

  private static String quoted(String text) {
    StringBuilder yaml = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                yaml.append('\\').appendCodePoint(c);
              } else if (c < ' ' || c == 0x7F) {
                yaml.append(String.format("\\x%02x", c));
              } else {
                yaml.appendCodePoint(c);
              }
            });
    return yaml.append('"').toString();
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "bad connection URI: a % is not followed by two digits", e);
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException("bad connection URI: " + otherwise + "; " + FORM);
    }
  }

  /** The parts without the password. */
  @Override
  public String toString() {
    return "ConnectionUri[" + user + "@" + server + "/" + database + "]";
  }
}
