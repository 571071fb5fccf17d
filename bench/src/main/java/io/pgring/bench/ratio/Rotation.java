package io.pgring.bench.ratio;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The order of the endpoints in each round. It starts one place further every round, so that none
 * is always first on a machine whose speed drifts, and it runs backwards every second cycle, so
 * that none always follows the same neighbour. Stateless.
 */
final class Rotation {
  private Rotation() {}

  static <T> List<T> order(List<T> items, int round) {
    List<T> order = new ArrayList<>(items);
    if (items.isEmpty()) {
      return order;
    }
    Collections.rotate(order, -(round % items.size()));
    if (round / items.size() % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}
