package io.pgring.config;

/** How the stages of a lane are spread over threads. */
public enum ThreadingMode {
  /** One thread per lane runs all stages. */
  FUSED,
  /** One thread per stage. */
  STAGED,
  /** No thread: the caller steps the lane. Only tests use it; a file cannot ask for it. */
  INVOKER
}
