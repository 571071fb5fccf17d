package io.pgring.testkit;

import io.pgring.Proxy;
import io.pgring.config.PgringConfig;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A proxy that runs in this JVM, started and ended through its composition root. */
final class ProxyUnderTest implements Endpoint {
  private final Proxy proxy;

  ProxyUnderTest(PgringConfig config) {
    try {
      proxy = Proxy.start(config);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int port() {
    return proxy.port();
  }

  @Override
  public void close() {
    proxy.close();
  }
}
