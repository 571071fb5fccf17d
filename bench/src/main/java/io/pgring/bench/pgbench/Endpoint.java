package io.pgring.bench.pgbench;

import io.pgring.bench.BenchFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * One address that pgbench is pointed at. Immutable.
 *
 * @param name what tables call it
 * @param host a host name or address, or the directory of a Unix socket
 * @param port the port, also part of a Unix socket's name
 * @param pids the processes whose processor time counts; empty when nobody's does
 */
public record Endpoint(String name, String host, int port, List<Long> pids) {
  /** Keeps its own copy of the list. */
  public Endpoint {
    pids = List.copyOf(pids);
  }

  /**
   * Reads {@code NAME=HOST:PORT[:PID,PID...]}, where HOST may be a directory that starts with a
   * slash, or an IPv6 address in brackets.
   *
   * @param text as given on the command line
   * @return the endpoint
   * @throws BenchFailure when the text has another form
   */
  public static Endpoint parse(String text) {
    int equals = text.indexOf('=');
    String rest = text.substring(equals + 1);
    int hostEnd = rest.startsWith("[") ? rest.indexOf(']') + 1 : rest.indexOf(':');
    if (equals < 1 || hostEnd < 1 || hostEnd >= rest.length() || rest.charAt(hostEnd) != ':') {
      throw malformed(text);
    }
    String[] numbers = rest.substring(hostEnd + 1).split(":", -1);
    try {
      List<Long> pids = new ArrayList<>();
      if (numbers.length == 2) {
        for (String pid : numbers[1].split(",", -1)) {
          pids.add(Long.parseLong(pid));
        }
      } else if (numbers.length > 2) {
        throw malformed(text);
      }
      String host = rest.substring(0, hostEnd).replaceAll("[\\[\\]]", "");
      return new Endpoint(text.substring(0, equals), host, Integer.parseInt(numbers[0]), pids);
    } catch (NumberFormatException e) {
      throw malformed(text);
    }
  }

  /**
   * @return whether this is a PgBouncer, going by the name
   */
  public boolean pgBouncer() {
    return name.startsWith("pgbouncer");
  }

  private static BenchFailure malformed(String text) {
    return new BenchFailure(
        "endpoint \"" + text + "\": expected NAME=HOST:PORT[:PID,PID...]; HOST may be a directory");
  }
}
