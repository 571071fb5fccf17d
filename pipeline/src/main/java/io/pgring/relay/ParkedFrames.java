package io.pgring.relay;

import io.pgring.pipeline.FrameEvent;
import io.pgring.transport.ByteQueue;
import org.agrona.MutableDirectBuffer;

/**
 * Copies of frames that wait, one record behind the other in the session's queue, presented as
 * events when their turn comes.
 *
 * <pre>
 *  int32  bytes of the frame
 *  int32  bytes of the whole message
 *  int64  classification
 *  int8   type
 *  int8   part
 *  bytes  the frame
 * </pre>
 */
final class ParkedFrames {
  private static final int MESSAGE_LENGTH_OFFSET = 4;
  private static final int CLASSIFICATION_OFFSET = 8;
  private static final int TYPE_OFFSET = 16;
  private static final int PART_OFFSET = 17;
  private static final int HEADER_BYTES = 18;

  private final FrameEvent event = new FrameEvent();

  /** Appends a copy; false when there is no memory for it. */
  boolean add(ByteQueue queue, FrameEvent frame) {
    int at = queue.reserve(HEADER_BYTES + frame.length());
    if (at < 0) {
      return false;
    }
    MutableDirectBuffer buffer = queue.buffer();
    buffer.putInt(at, frame.length());
    buffer.putInt(at + MESSAGE_LENGTH_OFFSET, frame.messageLength());
    buffer.putLong(at + CLASSIFICATION_OFFSET, frame.classification());
    buffer.putByte(at + TYPE_OFFSET, frame.type());
    buffer.putByte(at + PART_OFFSET, frame.part());
    buffer.putBytes(at + HEADER_BYTES, frame.buffer(), frame.offset(), frame.length());
    queue.commit(HEADER_BYTES + frame.length());
    return true;
  }

  /** The first frame as an event, valid until the next call. */
  FrameEvent first(ByteQueue queue) {
    MutableDirectBuffer buffer = queue.buffer();
    int at = queue.head();
    event.wrapParked(
        buffer.getByte(at + TYPE_OFFSET),
        buffer.getByte(at + PART_OFFSET),
        buffer,
        at + HEADER_BYTES,
        buffer.getInt(at),
        buffer.getInt(at + MESSAGE_LENGTH_OFFSET),
        buffer.getLong(at + CLASSIFICATION_OFFSET));
    return event;
  }

  void removeFirst(ByteQueue queue) {
    if (!queue.isEmpty()) {
      queue.consume(HEADER_BYTES + queue.buffer().getInt(queue.head()));
    }
  }
}
