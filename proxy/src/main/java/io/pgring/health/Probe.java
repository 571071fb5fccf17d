package io.pgring.health;

/** A question about the state of the proxy. Called on a thread that may wait a little. */
@FunctionalInterface
public interface Probe {
  /** Null when all is well, or else what is wrong, in one line. */
  String complaint();
}
