package io.pgring.configfile;

/**
 * Something to correct in a configuration. Immutable.
 *
 * @param isError whether the configuration cannot be used; otherwise this is a warning
 * @param source the file
 * @param line from 1; 0 when the problem is with the file as a whole
 * @param column from 1; 0 when the problem is with the file as a whole
 * @param key path of the key, like {@code databases.bench.pool_size}; empty when there is none
 * @param wrong what is wrong
 * @param cure what to do about it
 */
public record Problem(
    boolean isError, String source, int line, int column, String key, String wrong, String cure) {
  /** One line in the form that editors and compilers use. */
  @Override
  public String toString() {
    String place = line == 0 ? source : source + ":" + line + ":" + column;
    return place
        + (isError ? ": error: " : ": warning: ")
        + (key.isEmpty() ? "" : key + ": ")
        + wrong
        + (cure.isEmpty() ? "" : "; " + cure);
  }
}
