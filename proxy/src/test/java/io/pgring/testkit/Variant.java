package io.pgring.testkit;

import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.config.ThreadingMode;

/** What a scenario runs against. */
public enum Variant {
  /** PostgreSQL itself; what its clients receive is right by definition. */
  DIRECT("direct", null, 0),
  FUSED_1("fused, 1 lane", ThreadingMode.FUSED, 1),
  FUSED_2("fused, 2 lanes", ThreadingMode.FUSED, 2),
  STAGED_1("staged, 1 lane", ThreadingMode.STAGED, 1),
  STAGED_2("staged, 2 lanes", ThreadingMode.STAGED, 2);

  private final String title;
  private final ThreadingMode threading;
  private final int lanes;

  Variant(String title, ThreadingMode threading, int lanes) {
    this.title = title;
    this.threading = threading;
    this.lanes = lanes;
  }

  public String title() {
    return title;
  }

  int lanes() {
    return lanes;
  }

  /** Starts the proxy of this variant in front of a server; PostgreSQL itself runs already. */
  Endpoint start(PgringConfig.Builder config, int serverPort) {
    if (this == DIRECT) {
      return new Direct(serverPort);
    }
    config
        .set(ConfigKey.LISTEN, "127.0.0.1:0")
        .set(ConfigKey.LANES, String.valueOf(lanes))
        .threading(threading)
        .database(PgringConfig.ANY, "127.0.0.1:" + serverPort);
    return new ProxyUnderTest(config.build());
  }

  private record Direct(int port) implements Endpoint {
    @Override
    public void close() {}
  }
}
