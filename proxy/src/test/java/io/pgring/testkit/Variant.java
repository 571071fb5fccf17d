package io.pgring.testkit;

/** What a scenario runs against. */
public enum Variant {
  /** PostgreSQL itself; what its clients receive is right by definition. */
  DIRECT("direct", "", 0);

  private final String title;
  private final String threading;
  private final int lanes;

  Variant(String title, String threading, int lanes) {
    this.title = title;
    this.threading = threading;
    this.lanes = lanes;
  }

  Endpoint start(ProxySettings settings, int serverPort) {
    return new Direct(serverPort);
  }

  public String title() {
    return title;
  }

  /** The proxy's threading as it is called in the configuration. */
  public String threading() {
    return threading;
  }

  public int lanes() {
    return lanes;
  }

  private record Direct(int port) implements Endpoint {
    @Override
    public void close() {}
  }
}
