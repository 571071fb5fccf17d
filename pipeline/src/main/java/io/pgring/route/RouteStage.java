package io.pgring.route;

import io.pgring.pipeline.FrameEvent;
import io.pgring.pipeline.Stage;

/** Gives each frame its target. A database has one server, so that is the target of everything. */
public final class RouteStage implements Stage {
  /** The server that takes writes. */
  public static final byte PRIMARY = 0;

  @Override
  public void onFrame(FrameEvent frame) {
    frame.target(PRIMARY);
  }

  @Override
  public String name() {
    return "route";
  }
}
