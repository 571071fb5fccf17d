package io.pgring.bench.pgbench;

import java.util.Map;

/**
 * As whom, and to which database, everybody connects. Immutable.
 *
 * @param user the user's name
 * @param password the password
 * @param database the database's name
 */
public record Account(String user, String password, String database) {
  /**
   * @return the environment that hands the password to PostgreSQL's programs, so that it is in no
   *     argument list
   */
  public Map<String, String> environment() {
    return password.isEmpty() ? Map.of() : Map.of("PGPASSWORD", password);
  }
}
