package io.pgring.pipeline;

import io.pgring.transport.ByteQueue;
import io.pgring.transport.Channel;
import io.pgring.transport.SlabPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;

/**
 * The client's socket and the state of reading from it. Owned by the selector agent, which alone
 * reads, registers and closes; relay writes to the channel and returns credit through {@link
 * #relayed(int)}. Lives from accept to close, in one lane.
 *
 * <p>Credit bounds what a client can have in flight: bytes read but not yet relayed never exceed
 * the window, so relay always has room to accept a frame, and a client that outruns its server is
 * simply not read.
 */
public final class ClientConnection implements Selectable {
  private static final VarHandle RELAYED;
  private static final VarHandle COMMANDS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RELAYED = lookup.findVarHandle(ClientConnection.class, "relayedBytes", long.class);
      COMMANDS = lookup.findVarHandle(ClientConnection.class, "commands", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Command of relay: read again, there is credit. */
  static final int RESUME = 1;

  /** Command of relay: the session has ended, close the socket and free the slot. */
  static final int CLOSE = 2;

  private final long key;
  private final Channel channel;
  private final SelectorAgent agent;
  private final int windowBytes;

  // Selector agent only.
  final ByteQueue carry;
  SelectionKey readKey;
  byte framing = MessageFramer.STARTUP;
  byte fragmentType;
  int fragmentRemaining;
  int fragmentMessageLength;
  boolean closed;
  boolean endOfStream;
  boolean blockedOnRing;
  private long publishedBytes;

  // Written by relay, read by the selector agent.
  @SuppressWarnings("unused") // through RELAYED
  private volatile long relayedBytes;

  private volatile boolean authenticated;

  // Written by the selector agent, read by relay.
  private volatile boolean readStopped;

  @SuppressWarnings("unused") // through COMMANDS
  private volatile int commands;

  // Relay only.
  private Selectable writeHandler;
  private SelectionKey writeKey;

  ClientConnection(
      long key, Channel channel, SelectorAgent agent, SlabPool carryPool, int windowBytes) {
    this.key = key;
    this.channel = channel;
    this.agent = agent;
    this.windowBytes = windowBytes;
    this.carry = new ByteQueue(carryPool);
  }

  /** Slot of the lane's session table in the low 32 bits, its generation above. */
  public long key() {
    return key;
  }

  /** Slot in the lane's session table. */
  public int slot() {
    return (int) key;
  }

  /** The socket; relay may write to it, and register it for writing with its own selector. */
  public Channel channel() {
    return channel;
  }

  /** Lifts the small limit on messages that applies before authentication. Relay only. */
  public void authenticated() {
    authenticated = true;
  }

  boolean isAuthenticated() {
    return authenticated;
  }

  /** Sets who is told that the socket takes bytes again. Relay only. */
  public void writeHandler(Selectable writeHandler) {
    this.writeHandler = writeHandler;
  }

  /** The key by which relay asks to be told that the socket takes bytes again. Relay only. */
  public SelectionKey writeKey(LaneSelector relaySelector) {
    if (writeKey == null) {
      // Fused, one selector serves both directions, and a channel has one key per selector.
      writeKey =
          agent.selects(relaySelector)
              ? readKey
              : channel.register(relaySelector.selector(), 0, this);
    }
    return writeKey;
  }

  @Override
  public void onReady(int readyOps) {
    if ((readyOps & SelectionKey.OP_WRITE) != 0) {
      writeHandler.onReady(readyOps);
    }
    if ((readyOps & SelectionKey.OP_READ) != 0) {
      agent.onReadable(this);
    }
  }

  /** Returns credit for bytes that have left relay. Relay only. */
  public void relayed(int bytes) {
    if (bytes == 0) {
      return;
    }
    // Volatile on both sides: either relay sees that reading stopped, or the agent sees the credit.
    RELAYED.setVolatile(this, (long) RELAYED.get(this) + bytes);
    if (readStopped && unrelayed() <= windowBytes / 2) {
      command(RESUME);
    }
  }

  /**
   * Asks the selector agent to close the socket and free the slot; the last thing that relay does
   * with a session.
   */
  public void close() {
    command(CLOSE);
  }

  int takeCommands() {
    return (int) COMMANDS.getAndSet(this, 0);
  }

  void published(int bytes) {
    publishedBytes += bytes;
  }

  /** Bytes that may still be read, given what is carried and what is not yet relayed. */
  int credit() {
    return windowBytes - unrelayed() - carry.size();
  }

  /** Stops reading unless credit came in at the last moment; true when reading is stopped. */
  boolean stopReading() {
    readStopped = true;
    if (credit() > 0 && unrelayed() <= windowBytes / 2) {
      readStopped = false;
      return false;
    }
    return true;
  }

  boolean isReadStopped() {
    return readStopped;
  }

  void readingResumed() {
    readStopped = false;
  }

  private int unrelayed() {
    return (int) (publishedBytes - (long) RELAYED.getVolatile(this));
  }

  private void command(int bit) {
    if ((int) COMMANDS.getAndBitwiseOr(this, bit) == 0) {
      agent.offer(this);
    }
  }
}
