package io.pgring.testkit;

import io.pgring.config.PgringConfig;

/** What a scenario runs against. */
public enum Variant {
  /** PostgreSQL itself; what its clients receive is right by definition. */
  DIRECT("direct");

  private final String title;

  Variant(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /** What clients connect to when the server has this port. */
  Endpoint start(PgringConfig.Builder config, int serverPort) {
    return new Direct(serverPort);
  }

  private record Direct(int port) implements Endpoint {
    @Override
    public void close() {}
  }
}
