package io.pgring.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A faulty network in front of a server: it cuts what the server sends into pieces, and lets cancel
 * requests arrive late. Runs two threads for each connection, all ended by {@link #close}.
 */
public final class TcpRelay implements AutoCloseable {
  private static final long CUT_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final byte[] CANCEL_CODE = {0x04, (byte) 0xd2, 0x16, 0x2e};

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private volatile Cuts replyCuts = Cuts.NONE;
  private volatile Duration cancelDelay = Duration.ZERO;

  public TcpRelay(int targetPort) {
    target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
    try {
      listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::acceptAll);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Where the stream from the server is cut from now on. */
  public void cutReplies(Cuts cuts) {
    replyCuts = cuts;
  }

  /** How much later than other connections those with a CancelRequest reach the server. */
  public void delayCancels(Duration delay) {
    cancelDelay = delay;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Closeable socket : open) {
      socket.close();
    }
  }

  private void acceptAll() throws IOException {
    while (true) {
      Socket client = listener.accept();
      open.add(client);
      start(() -> serve(client));
    }
  }

  /** Connects to the server once the client has spoken, then pumps both ways. */
  private void serve(Socket client) throws IOException {
    byte[] first = new byte[64 * 1024];
    int length = client.getInputStream().read(first);
    if (length < 0) {
      client.close();
      return;
    }
    if (isCancel(first, length)) {
      LockSupport.parkNanos(cancelDelay.toNanos());
    }
    Socket server = new Socket(target.getAddress(), target.getPort());
    open.add(server);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    server.getOutputStream().write(first, 0, length);
    start(() -> pumpReplies(server, client));
    pumpRequests(client, server);
  }

  private void pumpRequests(Socket client, Socket server) throws IOException {
    try (client;
        server) {
      client.getInputStream().transferTo(server.getOutputStream());
    } finally {
      open.remove(client);
      open.remove(server);
    }
  }

  private void pumpReplies(Socket server, Socket client) throws IOException {
    try (client;
        server) {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] burst = new byte[64 * 1024];
      long streamOffset = 0;
      for (int length = in.read(burst); length >= 0; length = in.read(burst)) {
        writeCut(out, burst, length, streamOffset);
        streamOffset += length;
      }
    }
  }

  private void writeCut(OutputStream out, byte[] burst, int length, long streamOffset)
      throws IOException {
    int offset = 0;
    while (offset < length) {
      int end = Math.min(length, replyCuts.end(streamOffset + offset, offset, length));
      out.write(burst, offset, end - offset);
      offset = end;
      if (offset < length) {
        LockSupport.parkNanos(CUT_PAUSE_NS);
      }
    }
  }

  private static boolean isCancel(byte[] first, int length) {
    return length >= 8 && Arrays.equals(first, 4, 8, CANCEL_CODE, 0, 4);
  }

  /** Ends quietly when a socket is closed, which is how every connection ends here. */
  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The peer or close() has ended this connection.
              }
            },
            "tcp-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Decides where a burst of bytes is cut. Any thread. */
  public interface Cuts {
    Cuts NONE = (streamOffset, offset, length) -> length;
    Cuts EVERY_BYTE = (streamOffset, offset, length) -> offset + 1;

    /**
     * @param streamOffset bytes of the connection before this piece
     * @param offset bytes of the burst before this piece
     * @param length length of the burst in bytes
     * @return offset in the burst where the piece ends, beyond {@code offset}
     */
    int end(long streamOffset, int offset, int length);

    /** Cuts each burst once, behind so many bytes. */
    static Cuts at(int position) {
      return (streamOffset, offset, length) -> offset < position ? position : length;
    }

    /** Pieces of 1 to {@code longest} bytes that depend on nothing but the seed. */
    static Cuts seeded(long seed, int longest) {
      return (streamOffset, offset, length) ->
          offset + 1 + (int) Math.floorMod(mix(seed + streamOffset), (long) longest);
    }

    private static long mix(long value) {
      long mixed = (value + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
      return mixed ^ (mixed >>> 31);
    }
  }
}
