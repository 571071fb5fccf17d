package io.pgring.jmh;

import io.pgring.transport.Channel;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * A peer in memory: what is offered to it can be read, and what is written to it is gone. Used by
 * the one thread of a benchmark.
 */
final class MemoryChannel implements Channel {
  private ByteBuffer arriving = ByteBuffer.allocateDirect(0);
  private MemoryKey key;

  /** Offers all bytes of a direct buffer for the next reads. */
  void offer(ByteBuffer bytes) {
    arriving = bytes;
    arriving.rewind();
  }

  /** What was registered for this channel. */
  Object attachment() {
    return key.attachment();
  }

  @Override
  public int read(ByteBuffer destination) {
    int length = Math.min(arriving.remaining(), destination.remaining());
    destination.put(destination.position(), arriving, arriving.position(), length);
    destination.position(destination.position() + length);
    arriving.position(arriving.position() + length);
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
    key = new MemoryKey(ops);
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
  public String remote() {
    return "memory";
  }

  @Override
  public String local() {
    return "memory";
  }

  @Override
  public void resetOnClose() {}

  @Override
  public void close() {}

  private static final class MemoryKey extends SelectionKey {
    private int ops;

    MemoryKey(int ops) {
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
    public void cancel() {}

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
