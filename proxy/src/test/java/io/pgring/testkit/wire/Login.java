package io.pgring.testkit.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a client says when it connects. Immutable.
 *
 * @param user role to log in as
 * @param database database to use
 * @param password secret for the authentication methods that ask for one
 * @param protocol version in the StartupMessage, see {@link FrontendMessages#PROTOCOL_3_0}
 * @param parameters further startup parameters
 */
public record Login(
    String user, String database, String password, int protocol, Map<String, String> parameters) {

  /** The ordinary role of the test servers in its own database. */
  public static final Login APP = of("app", "app", "app");

  public static Login of(String user, String database, String password) {
    return new Login(user, database, password, FrontendMessages.PROTOCOL_3_0, Map.of());
  }

  public Login with(String parameter, String value) {
    Map<String, String> more = new LinkedHashMap<>(parameters);
    more.put(parameter, value);
    return new Login(user, database, password, protocol, more);
  }

  public Login protocol(int version) {
    return new Login(user, database, password, version, parameters);
  }

  byte[] startupMessage() {
    List<String> strings = new ArrayList<>(List.of("user", user, "database", database));
    parameters.forEach(
        (name, value) -> {
          strings.add(name);
          strings.add(value);
        });
    return FrontendMessages.startup(protocol, strings.toArray(String[]::new));
  }
}
