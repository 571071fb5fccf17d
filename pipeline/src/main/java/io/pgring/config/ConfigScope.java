package io.pgring.config;

/** Where in the configuration a key may stand. */
public enum ConfigScope {
  /** At the top level of the file. */
  GLOBAL("at the top level"),
  /** In one entry of {@code databases}. */
  DATABASE("in a database"),
  /** In one entry of {@code users}. */
  USER("in a user");

  private final String place;

  ConfigScope(String place) {
    this.place = place;
  }

  /** The place in words, for messages. */
  public String place() {
    return place;
  }
}
