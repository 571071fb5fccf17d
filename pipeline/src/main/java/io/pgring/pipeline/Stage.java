package io.pgring.pipeline;

/**
 * One step of the pipeline. Called on the stage's thread for every frame, in order. It must not
 * keep the event, its buffer or a view of it, must not block, and must not throw for bad input.
 */
public interface Stage {
  /** Handles one frame; it writes only its own group of fields. */
  void onFrame(FrameEvent frame);

  /** Name for threads and counters. */
  String name();
}
