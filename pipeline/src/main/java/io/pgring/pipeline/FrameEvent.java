package io.pgring.pipeline;

import org.agrona.DirectBuffer;

/**
 * One frame on its way through the pipeline: a whole frontend message, a fragment of a large one,
 * or a notice of the selector agent about its client. Preallocated in the {@link FrameRing}; valid
 * only while a stage's {@code onFrame} runs. The fields are grouped by the stage that writes them.
 */
public final class FrameEvent {
  /** The frame is a complete message. */
  public static final byte WHOLE = 0;

  /**
   * The first fragment of a large message: it contains the header and at least the names behind it.
   */
  public static final byte FIRST = 1;

  /** A further fragment, bytes of the body only. */
  public static final byte MORE = 2;

  /** The last fragment. */
  public static final byte LAST = 3;

  /** Pseudo type: a client was accepted. */
  public static final byte CONNECTED = -1;

  /** Pseudo type: the client closed its side, or its socket broke. */
  public static final byte DISCONNECTED = -2;

  /**
   * Pseudo type: the bytes cannot be framed; {@link #detail()} is the {@link FramingError} or the
   * unknown type.
   */
  public static final byte UNFRAMEABLE = -3;

  // Written by the selector agent.
  private ClientConnection client;
  private long sessionKey;
  private byte type;
  private byte part;
  private int detail;
  private DirectBuffer buffer;
  private int offset;
  private int length;
  private int messageLength;
  private long arenaEnd;

  // Written by classify.
  private long classification;

  // Written by firewall.
  private byte verdict;

  // Written by route.
  private byte target;

  void frame(
      ClientConnection client,
      byte type,
      byte part,
      DirectBuffer buffer,
      int offset,
      int length,
      int messageLength) {
    this.client = client;
    this.sessionKey = client.key();
    this.type = type;
    this.part = part;
    this.detail = 0;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    this.messageLength = messageLength;
    this.classification = 0;
    this.verdict = 0;
    this.target = 0;
  }

  void notice(ClientConnection client, byte type, int detail) {
    frame(client, type, WHOLE, null, 0, 0, 0);
    this.detail = detail;
  }

  void arenaEnd(long arenaEnd) {
    this.arenaEnd = arenaEnd;
  }

  long arenaEnd() {
    return arenaEnd;
  }

  /**
   * Presents a parked copy of a frame as an event; the caller keeps the bytes alive while it is
   * evaluated.
   *
   * @param length bytes at {@code offset}
   * @param messageLength bytes of the whole message, type and length field included
   */
  public void wrapParked(
      byte type,
      byte part,
      DirectBuffer buffer,
      int offset,
      int length,
      int messageLength,
      long classification) {
    this.type = type;
    this.part = part;
    this.detail = 0;
    this.buffer = buffer;
    this.offset = offset;
    this.length = length;
    this.messageLength = messageLength;
    this.classification = classification;
  }

  /** The connection the frame came from. */
  public ClientConnection client() {
    return client;
  }

  /** Slot and generation of the session; work for an earlier generation of a slot is dropped. */
  public long sessionKey() {
    return sessionKey;
  }

  /** Type byte of the message, or one of the pseudo types above. */
  public byte type() {
    return type;
  }

  /** {@link #WHOLE}, {@link #FIRST}, {@link #MORE} or {@link #LAST}. */
  public byte part() {
    return part;
  }

  /**
   * True for a whole message and for the first fragment of one: what follows a message boundary.
   */
  public boolean startsMessage() {
    return part <= FIRST;
  }

  /** What an {@link #UNFRAMEABLE} notice is about. */
  public int detail() {
    return detail;
  }

  /** Memory that holds the bytes; must not be kept. */
  public DirectBuffer buffer() {
    return buffer;
  }

  /** Index of the first byte: the type byte where the frame starts a message. */
  public int offset() {
    return offset;
  }

  /** Bytes of this frame. */
  public int length() {
    return length;
  }

  /** Bytes of the whole message, of which this frame may be a fragment. */
  public int messageLength() {
    return messageLength;
  }

  /**
   * Summary of the statement's class, see {@code io.pgring.classify.Classification}; 0 for frames
   * without SQL.
   */
  public long classification() {
    return classification;
  }

  /** Set by the classify stage only. */
  public void classification(long classification) {
    this.classification = classification;
  }

  /** Verdict of the firewall; 0 allows. */
  public byte verdict() {
    return verdict;
  }

  /** Set by the firewall stage only. */
  public void verdict(byte verdict) {
    this.verdict = verdict;
  }

  /** Target chosen by the router; 0 is the primary. */
  public byte target() {
    return target;
  }

  /** Set by the route stage only. */
  public void target(byte target) {
    this.target = target;
  }
}
