package io.pgring.transport;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * A non-blocking stream of bytes to a client or a server: the seam between sessions and sockets.
 * TLS and test doubles are other implementations. Confined to the thread that owns it, which may
 * change by hand-over; open from its creation until {@link #close()}.
 *
 * <p>Nothing here throws for what the network does: the end of a stream is a return value, and
 * {@link #failure()} says why. Reading and writing allocate nothing until the stream ends.
 */
public interface Channel extends AutoCloseable {
  /** Returned by {@link #read} and {@link #write} when no more bytes can be moved, now or ever. */
  int ENDED = -1;

  /** Progress of an outgoing connection. */
  enum ConnectState {
    /** Bytes may be moved. */
    CONNECTED,
    /**
     * The peer has not answered; ask again when the key reports {@link SelectionKey#OP_CONNECT}.
     */
    PENDING,
    /** There is no connection and there will be none; {@link Channel#failure()} says why. */
    FAILED
  }

  /**
   * Reads what has arrived, at most the buffer's remaining bytes.
   *
   * @param destination a direct buffer
   * @return bytes read, 0 when none are there, {@link #ENDED} after the peer's end of stream
   *     ({@link #failure()} is null) or a broken connection
   */
  int read(ByteBuffer destination);

  /**
   * Writes as much as the socket takes without waiting.
   *
   * @param source a direct buffer
   * @return bytes written, possibly 0, or {@link #ENDED} when the connection is broken
   */
  int write(ByteBuffer source);

  /**
   * Registers with a selector.
   *
   * @throws IllegalStateException when the channel was closed: the owner's mistake, not the
   *     network's
   */
  SelectionKey register(Selector selector, int ops, Object attachment);

  /** Says how far an outgoing connection is; accepted channels are connected from the start. */
  ConnectState finishConnect();

  /**
   * The operating system's reason for a broken or refused connection; null while there is none, and
   * after an orderly end.
   */
  String failure();

  /** Whether the peer is on this machine by a Unix socket. */
  boolean isUnix();

  /**
   * The peer's address as text for logs: {@code 192.0.2.1:5432}, {@code [2001:db8::1]:5432} or
   * {@code unix:/path}.
   */
  String remote();

  /** This end's address in the same form; empty when it has none, or no more. */
  String local();

  /**
   * Makes {@link #close()} drop unsent bytes and reset the connection, so that a hostile peer
   * cannot keep the kernel's send buffer occupied. Unix sockets always close like that.
   */
  void resetOnClose();

  /**
   * Closes the socket. While a selection key exists, the descriptor itself is freed by that
   * selector's next selection. Repeated calls do nothing.
   */
  @Override
  void close();
}
