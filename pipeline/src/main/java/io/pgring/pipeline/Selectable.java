package io.pgring.pipeline;

/**
 * Attachment of every selection key of a lane; called on the thread of the {@link LaneSelector}
 * that holds the key.
 */
public interface Selectable {
  /** Handles what {@code SelectionKey.readyOps()} reports. */
  void onReady(int readyOps);
}
