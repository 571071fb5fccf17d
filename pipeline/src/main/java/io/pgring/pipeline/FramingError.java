package io.pgring.pipeline;

/**
 * Why bytes of a client cannot be framed; detail of an {@link FrameEvent#UNFRAMEABLE} notice. Types
 * are 0 to 255.
 */
public final class FramingError {
  /**
   * A startup packet with an impossible length, or a message longer than its type or the limit
   * allows.
   */
  public static final int BAD_LENGTH = 1000;

  private FramingError() {}

  /** True when the detail is an unknown message type rather than one of the constants. */
  public static boolean isUnknownType(int detail) {
    return detail < BAD_LENGTH;
  }
}
