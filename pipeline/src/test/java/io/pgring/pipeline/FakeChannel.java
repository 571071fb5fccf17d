package io.pgring.pipeline;

import io.pgring.transport.Channel;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;

/**
 * A client's socket without a network. What a test offers is read piece by piece: a read never goes
 * beyond the end of a piece, as it would not beyond what has arrived. Used by one thread.
 */
final class FakeChannel implements Channel {
  private final ArrayDeque<ByteBuffer> arriving = new ArrayDeque<>();
  private FakeKey key;
  private boolean ended;
  private boolean closed;

  void offer(byte[] bytes, int from, int to) {
    if (to > from) {
      arriving.add(ByteBuffer.wrap(bytes, from, to - from));
    }
  }

  void endOfStream() {
    ended = true;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Tells the attachment that there is something to read, as a selector would; true if there was.
   */
  boolean select() {
    boolean ready = !closed && (!arriving.isEmpty() || ended);
    boolean selected = ready && key != null && (key.ops & SelectionKey.OP_READ) != 0;
    if (selected) {
      ((Selectable) key.attachment()).onReady(SelectionKey.OP_READ);
    }
    return selected;
  }

  boolean isRegistered() {
    return key != null;
  }

  /** True while reading is asked for. */
  boolean isReadWanted() {
    return (key.ops & SelectionKey.OP_READ) != 0;
  }

  ClientConnection client() {
    return (ClientConnection) key.attachment();
  }

  @Override
  public int read(ByteBuffer destination) {
    if (arriving.isEmpty()) {
      return ended ? ENDED : 0;
    }
    ByteBuffer source = arriving.peek();
    int length = Math.min(source.remaining(), destination.remaining());
    destination.put(source.slice(source.position(), length));
    source.position(source.position() + length);
    if (!source.hasRemaining()) {
      arriving.remove();
    }
    return length;
  }

  @Override
  public int write(ByteBuffer source) {
    int length = source.remaining();
    source.position(source.limit());
    return length;
  }

  @Override
  public SelectionKey register(Selector selector, int ops, Object attachment) {
    key = new FakeKey(ops);
    key.attach(attachment);
    return key;
  }

  @Override
  public ConnectState finishConnect() {
    return ConnectState.CONNECTED;
  }

  @Override
  public String failure() {
    return null;
  }

  @Override
  public boolean isUnix() {
    return false;
  }

  @Override
  public String local() {
    return "";
  }

  @Override
  public String remote() {
    return "fake";
  }

  @Override
  public void resetOnClose() {}

  @Override
  public void close() {
    closed = true;
  }

  private static final class FakeKey extends SelectionKey {
    private int ops;

    FakeKey(int ops) {
      this.ops = ops;
    }

    @Override
    public SelectableChannel channel() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Selector selector() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public void cancel() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int interestOps() {
      return ops;
    }

    @Override
    public SelectionKey interestOps(int newOps) {
      ops = newOps;
      return this;
    }

    @Override
    public int readyOps() {
      return ops;
    }
  }
}
