package io.pgring.firewall;

import io.pgring.pipeline.FrameEvent;
import io.pgring.pipeline.Stage;

/** Gives each frame its verdict. There are no rules yet, so everything is allowed. */
public final class FirewallStage implements Stage {
  /** The frame may pass. */
  public static final byte ALLOW = 0;

  @Override
  public void onFrame(FrameEvent frame) {
    frame.verdict(ALLOW);
  }

  @Override
  public String name() {
    return "firewall";
  }
}
