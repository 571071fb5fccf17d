package io.pgring.demo.check;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What is checked: a proxy in front of a server with the tables of pgbench, nobody else using
 * either.
 *
 * @param port where the proxy listens, on the loopback interface
 * @param name of the role, its password and its database
 * @param poolSize server connections that the proxy may have
 * @param administration opens a connection of a superuser past the proxy
 * @param clientCount number of clients that the proxy has
 * @param loggedErrors what the proxy has logged as errors
 */
public record CheckTarget(
    int port,
    String name,
    int poolSize,
    Administration administration,
    IntSupplier clientCount,
    Supplier<List<String>> loggedErrors) {

  /** Opens connections past the proxy. */
  public interface Administration {
    Connection open() throws SQLException;
  }
}
