package io.pgring.transport;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * A channel without a network: reads give what a test has offered, writes take as much as it has
 * said. Used by the one thread of a test.
 */
public final class ScriptedChannel implements Channel {
  private final ArrayDeque<ByteBuffer> arriving = new ArrayDeque<>();
  private final ArrayDeque<Integer> accepted = new ArrayDeque<>();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private boolean ended;
  private String failure;

  /** Bytes that one or several reads will give. */
  public ScriptedChannel offer(byte[] bytes) {
    arriving.add(ByteBuffer.wrap(bytes.clone()));
    return this;
  }

  public ScriptedChannel offer(String text) {
    return offer(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The next write takes so many bytes at most; a write nothing was said about takes all. */
  public ScriptedChannel accept(int bytes) {
    accepted.add(bytes);
    return this;
  }

  /** Behind what was offered there is the end of the stream. */
  public void endOfStream() {
    ended = true;
  }

  /** Reads and writes fail from now on. */
  public void breakNow() {
    failure = "Broken pipe";
  }

  public byte[] written() {
    return written.toByteArray();
  }

  public String writtenText() {
    return written.toString(StandardCharsets.US_ASCII);
  }

  @Override
  public int read(ByteBuffer destination) {
    if (failure != null) {
      return ENDED;
    }
    while (!arriving.isEmpty() && !arriving.peek().hasRemaining()) {
      arriving.remove();
    }
    if (arriving.isEmpty()) {
      return ended ? ENDED : 0;
    }
    ByteBuffer source = arriving.peek();
    int length = Math.min(source.remaining(), destination.remaining());
    destination.put(source.slice(source.position(), length));
    source.position(source.position() + length);
    return length;
  }

  @Override
  public int write(ByteBuffer source) {
    if (failure != null) {
      return ENDED;
    }
    int limit = accepted.isEmpty() ? source.remaining() : accepted.remove();
    byte[] bytes = new byte[Math.min(limit, source.remaining())];
    source.get(bytes);
    written.writeBytes(bytes);
    return bytes.length;
  }

  @Override
  public SelectionKey register(Selector selector, int ops, Object attachment) {
    throw new UnsupportedOperationException("a scripted channel is not selected");
  }

  @Override
  public ConnectState finishConnect() {
    return failure == null ? ConnectState.CONNECTED : ConnectState.FAILED;
  }

  @Override
  public String failure() {
    return failure;
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
    return "scripted";
  }

  @Override
  public void resetOnClose() {}

  @Override
  public void close() {}
}
