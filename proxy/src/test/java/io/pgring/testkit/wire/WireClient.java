package io.pgring.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A blocking connection of protocol version 3 over TCP or a Unix socket that sends exactly the
 * bytes it is told to and returns every message it gets. Used by one thread at a time, except that
 * one thread may send while another reads.
 *
 * <p>A read that waits longer than the timeout (10 s unless set) fails with an {@link
 * UncheckedIOException} around a {@link SocketTimeoutException}: in a test that is a hang.
 */
public final class WireClient implements AutoCloseable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  private static final long CUT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int HEADER_LENGTH = 5;

  private final SocketAddress address;
  private final SocketChannel channel;
  private final Selector readable;
  private final Selector writable;
  private final Map<String, String> parameters = new LinkedHashMap<>();
  private ByteBuffer received = ByteBuffer.allocate(64 * 1024).flip();
  private Consumer<Reply> observer = reply -> {};
  private Duration timeout = DEFAULT_TIMEOUT;
  private int sendCut = Integer.MAX_VALUE;
  private Authentication authentication;
  private byte[] keyData;
  private List<Reply> loginReplies = List.of();

  private WireClient(SocketAddress address) throws IOException {
    this.address = address;
    channel = SocketChannel.open(address);
    if (address instanceof InetSocketAddress) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    channel.configureBlocking(false);
    readable = Selector.open();
    writable = Selector.open();
    channel.register(readable, SelectionKey.OP_READ);
    channel.register(writable, SelectionKey.OP_WRITE);
  }

  /** Connects and sends nothing. */
  public static WireClient connect(SocketAddress address) {
    try {
      return new WireClient(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connects and logs in; whether that succeeded is in {@link #loginReplies}. */
  public static WireClient connect(SocketAddress address, Login login) {
    WireClient client = connect(address);
    client.login(login);
    return client;
  }

  /** Sends the StartupMessage, answers what is asked, and reads up to ReadyForQuery or an error. */
  public List<Reply> login(Login login) {
    answerAuthenticationAs(login);
    send(login.startupMessage());
    loginReplies = until("ZE");
    return loginReplies;
  }

  /** From now on authentication requests are answered while reading; otherwise they are not. */
  public void answerAuthenticationAs(Login login) {
    authentication = new Authentication(login);
  }

  public List<Reply> loginReplies() {
    return loginReplies;
  }

  /** Is told of each reply as it is read. */
  public void observer(Consumer<Reply> newObserver) {
    observer = newObserver;
  }

  /** How long a read or a write may wait. */
  public void timeout(Duration newTimeout) {
    timeout = newTimeout;
  }

  /** Sends the messages in one piece, unless {@link #cutSendsAt} says otherwise. */
  public void send(byte[]... messages) {
    ByteBuffer bytes = ByteBuffer.wrap(FrontendMessages.concat(messages));
    int end = bytes.limit();
    try {
      if (sendCut < end) {
        write(bytes.limit(sendCut));
        LockSupport.parkNanos(CUT_PAUSE_NS);
      }
      write(bytes.limit(end));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on all that is sent at once goes out in two pieces, the first of that length. */
  public void cutSendsAt(int lengthBytes) {
    sendCut = lengthBytes;
  }

  /** The next message, or the pseudo message {@link Reply#END}. */
  public Reply read() {
    Reply reply = fill(HEADER_LENGTH) ? readMessage() : endReply();
    observer.accept(reply);
    switch (reply.type()) {
      case 'S' -> {
        List<String> pair = reply.strings(0);
        parameters.put(pair.get(0), pair.get(1));
      }
      case 'K' -> keyData = reply.body();
      case 'R' -> answerAuthentication(reply);
      default -> {}
    }
    return reply;
  }

  /** Reads up to the first message of one of the types; the end of the connection always ends. */
  public List<Reply> until(String stopTypes) {
    return until(stopTypes, 1);
  }

  /** Reads up to the {@code count}-th message of one of the types. */
  public List<Reply> until(String stopTypes, int count) {
    List<Reply> replies = new ArrayList<>();
    int remaining = count;
    while (remaining > 0) {
      Reply reply = read();
      replies.add(reply);
      if (reply.type() == Reply.END) {
        break;
      }
      if (stopTypes.indexOf(reply.type()) >= 0) {
        remaining--;
      }
    }
    return replies;
  }

  /** {@link #until} in the short notation. */
  public String trace(String stopTypes, int count) {
    return Trace.show(until(stopTypes, count));
  }

  /** Reads up to the next ReadyForQuery, in the short notation. */
  public String trace() {
    return trace("Z", 1);
  }

  /** Runs a simple query and returns its trace up to ReadyForQuery. */
  public String query(String sql) {
    send(FrontendMessages.query(sql));
    return trace();
  }

  /** Runs statements in the extended protocol behind the unnamed names, with one Sync. */
  public String extended(String... statements) {
    for (String sql : statements) {
      send(FrontendMessages.extended(sql));
    }
    send(FrontendMessages.sync());
    return trace();
  }

  /** Runs a simple query and returns the first value of its first row. */
  public String scalar(String sql) {
    send(FrontendMessages.query(sql));
    List<Reply> replies = until("Z");
    return replies.stream()
        .filter(reply -> reply.type() == 'D')
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(Trace.show(replies)))
        .values()
        .get(0);
  }

  /** True if nothing arrives and the connection stays open for that long. */
  public boolean silentFor(Duration duration) {
    Duration before = timeout;
    timeout = duration;
    try {
      return !received.hasRemaining() && !fillWithin(1);
    } finally {
      timeout = before;
    }
  }

  /** The reported settings, as last seen. */
  public Map<String, String> parameters() {
    return parameters;
  }

  /** Process id and secret as received in BackendKeyData. */
  public byte[] keyData() {
    return keyData;
  }

  /** Sends a CancelRequest for this client, waits for the end and returns what came back. */
  public byte[] cancel() {
    return cancel(keyData);
  }

  /** Sends a CancelRequest with another key than this client's own. */
  public byte[] cancel(byte[] key) {
    try (WireClient other = connect(address)) {
      other.send(FrontendMessages.cancelRequest(key));
      return other.readToEnd();
    }
  }

  /** All bytes up to the end of the connection, whether they are messages or not. */
  public byte[] readToEnd() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (fill(1)) {
      bytes.writeBytes(endReply().body());
    }
    return bytes.toByteArray();
  }

  /** Closes the connection with a reset instead of an orderly end. */
  public void abort() {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the connection without a Terminate message. */
  @Override
  public void close() {
    try {
      channel.close();
      readable.close();
      writable.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        await(writable);
      }
    }
  }

  private Reply readMessage() {
    int length = 1 + received.getInt(received.position() + 1);
    if (length < HEADER_LENGTH) {
      throw new IllegalStateException("message with length field " + (length - 1));
    }
    if (!fill(length)) {
      return endReply();
    }
    char type = (char) (received.get() & 0xff);
    byte[] body = new byte[length - HEADER_LENGTH];
    received.getInt();
    received.get(body);
    return new Reply(type, body);
  }

  private Reply endReply() {
    byte[] rest = new byte[received.remaining()];
    received.get(rest);
    return new Reply(Reply.END, rest);
  }

  private void answerAuthentication(Reply request) {
    if (authentication != null) {
      byte[] answer = authentication.answer(request);
      if (answer.length > 0) {
        send(answer);
      }
    }
  }

  /** Reads until so many bytes are there; false at the end of the connection. */
  private boolean fill(int lengthBytes) {
    while (received.remaining() < lengthBytes) {
      makeRoom(lengthBytes);
      int count = readSome();
      if (count < 0) {
        return false;
      }
    }
    return true;
  }

  /** Like {@link #fill}, but false when the time is over; the end of the connection counts. */
  private boolean fillWithin(int lengthBytes) {
    try {
      fill(lengthBytes);
      return true;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof SocketTimeoutException) {
        return false;
      }
      throw e;
    }
  }

  private void makeRoom(int lengthBytes) {
    ByteBuffer target = received;
    if (received.capacity() < lengthBytes) {
      target = ByteBuffer.allocate(Math.max(lengthBytes, 2 * received.capacity()));
      target.put(received).flip();
    } else if (received.capacity() - received.position() < lengthBytes) {
      received.compact().flip();
    }
    received = target;
  }

  /** A reset counts as an end: which of the two a closing peer causes is a matter of timing. */
  private int readSome() {
    int start = received.position();
    int end = received.limit();
    if (end == received.capacity()) {
      received.compact().flip();
      start = 0;
      end = received.limit();
    }
    received.limit(received.capacity()).position(end);
    int count = 0;
    try {
      count = channel.read(received);
      if (count == 0) {
        await(readable);
      }
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw new UncheckedIOException(e);
    } catch (IOException e) {
      count = -1;
    } finally {
      received.limit(received.position()).position(start);
    }
    return count;
  }

  private void await(Selector selector) throws IOException {
    selector.selectedKeys().clear();
    if (selector.select(timeout.toMillis()) == 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting");
      }
      throw new SocketTimeoutException("nothing within " + timeout);
    }
  }
}
