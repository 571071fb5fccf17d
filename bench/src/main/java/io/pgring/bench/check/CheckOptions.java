package io.pgring.bench.check;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.fixture.StandOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What may follow a check's name. Set once by picocli. */
@Command
public final class CheckOptions {
  @Option(names = "--clients", description = "connections held at once (default: the check's own)")
  private int clients;

  @Option(
      names = "--secs",
      defaultValue = "6",
      description = "seconds of each part (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(names = "--rounds", description = "repetitions (default: the check's own)")
  private int rounds;

  @Option(names = "--minutes", description = "how long in all (default: the check's own)")
  private double minutes;

  @Option(names = "--seed", description = "what random choices begin with (default: the time)")
  private Long seed;

  @Option(names = "--peer", description = "check PgBouncer instead, for comparison")
  private boolean peer;

  @Mixin private StandOptions stand;

  /**
   * @param args what followed the check's name
   * @return the options
   */
  public static CheckOptions parse(String... args) {
    CheckOptions options = new CheckOptions();
    new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args);
    return options;
  }

  /**
   * @param usual the check's own number
   * @return how many connections are held at once
   */
  public int clientsOr(int usual) {
    return clients == 0 ? usual : clients;
  }

  /**
   * @return how long each part lasts
   */
  public int seconds() {
    return seconds;
  }

  /**
   * @param usual the check's own number
   * @return how often it is repeated
   */
  public int roundsOr(int usual) {
    return rounds == 0 ? usual : rounds;
  }

  /**
   * @param usualMinutes the check's own time
   * @return how long it lasts, in seconds
   */
  public int totalSecondsOr(double usualMinutes) {
    return (int) Math.ceil((minutes == 0 ? usualMinutes : minutes) * 60);
  }

  /**
   * @return what random choices begin with
   */
  public long seed() {
    return seed == null ? System.currentTimeMillis() : seed;
  }

  /**
   * @return whether PgBouncer is checked instead
   */
  public boolean peer() {
    return peer;
  }

  /**
   * @return these options
   * @throws BenchFailure when PgBouncer was asked for, which this check cannot do
   */
  public CheckOptions withoutPeer() {
    if (peer) {
      throw new BenchFailure("this check is for pgring only: leave --peer out");
    }
    return this;
  }

  /**
   * @return the options of the servers
   */
  public StandOptions stand() {
    return stand;
  }
}
