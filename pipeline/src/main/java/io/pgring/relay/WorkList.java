package io.pgring.relay;

import java.util.Arrays;

/**
 * A growing array of things to be done at the end of a duty cycle; no allocation once it has its
 * size. One thread.
 */
final class WorkList<T> {
  private T[] items;
  private int size;

  @SuppressWarnings("unchecked")
  WorkList() {
    items = (T[]) new Object[16];
  }

  void add(T item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size++] = item;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  T get(int index) {
    return items[index];
  }

  /** Forgets the first {@code count} items, and moves up what was added behind them meanwhile. */
  void removeFirst(int count) {
    System.arraycopy(items, count, items, 0, size - count);
    Arrays.fill(items, size - count, size, null);
    size -= count;
  }
}
