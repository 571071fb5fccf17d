package io.pgring.demo.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * Something that clients do again and again. It leaves the connection without a transaction.
 *
 * @param title as the report names it
 * @param weight how often it comes in one round of a client
 * @param body what it does; it fails by an exception
 */
record Scenario(String title, int weight, Body body) {

  /** Run by the client's own thread. */
  interface Body {
    void run(Client client) throws Exception;
  }

  /** All scenarios, in the order of the report. */
  static List<Scenario> all() {
    return Stream.of(
            TransactionScenarios.all(), TransferScenarios.all(), InterruptionScenarios.all())
        .flatMap(List::stream)
        .toList();
  }
}
