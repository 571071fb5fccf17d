package io.pgring.bench.wire;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;

/**
 * A blocking connection over TCP that sends the bytes it is given. A read that waits longer than
 * the limit fails with a {@link SocketTimeoutException}. Used by one thread at a time.
 */
public final class WireClient implements AutoCloseable {
  private static final int DISCARDED_BYTES = 8_192;

  private final SocketChannel channel;
  private final ReadableByteChannel input;
  private final ReplyReader replies = new ReplyReader();

  private WireClient(Endpoint endpoint, int limitMillis) throws IOException {
    channel = SocketChannel.open(new InetSocketAddress(endpoint.host(), endpoint.port()));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.socket().setSoTimeout(limitMillis);
    // Only the socket's own stream keeps to the time limit.
    input = Channels.newChannel(channel.socket().getInputStream());
  }

  /**
   * Connects and sends nothing.
   *
   * @param endpoint where
   * @param limitMillis the longest wait for bytes
   * @return the connection
   */
  public static WireClient connect(Endpoint endpoint, int limitMillis) throws IOException {
    return new WireClient(endpoint, limitMillis);
  }

  /**
   * Connects and logs in.
   *
   * @param endpoint where
   * @param account as whom
   * @param limitMillis the longest wait for bytes
   * @return the connection, ready for a query
   */
  public static WireClient login(Endpoint endpoint, Account account, int limitMillis)
      throws IOException {
    WireClient client = connect(endpoint, limitMillis);
    try {
      client.login(account);
      return client;
    } catch (IOException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private void login(Account account) throws IOException {
    LoginExchange login = new LoginExchange(account);
    send(login.startup());
    for (Reply reply = read(); reply.type() != Reply.READY; reply = read()) {
      if (reply.type() == Reply.ERROR) {
        throw new BenchFailure("login: " + reply.text());
      }
      if (reply.type() == Reply.AUTHENTICATION) {
        send(login.answer(reply.body()));
      }
    }
  }

  /**
   * Sends all of it; blocks while the peer does not read.
   *
   * @param bytes what
   */
  public void send(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /**
   * @return the next message; null at the end of the connection
   * @throws BenchFailure when what comes is no message
   */
  public Reply readOrEnd() throws IOException {
    Reply reply = replies.next();
    while (reply == null) {
      if (replies.readFrom(input) < 0) {
        return null;
      }
      reply = replies.next();
    }
    return reply;
  }

  /**
   * @return the next message
   * @throws IOException at the end of the connection, too
   */
  public Reply read() throws IOException {
    Reply reply = readOrEnd();
    if (reply == null) {
      throw new IOException("the connection has ended");
    }
    return reply;
  }

  /**
   * Sends a Query and waits for its end.
   *
   * @param sql what
   * @throws BenchFailure when the answer is an error
   */
  public void query(String sql) throws IOException {
    send(Requests.query(sql));
    for (Reply reply = read(); reply.type() != Reply.READY; reply = read()) {
      if (reply.type() == Reply.ERROR) {
        throw new BenchFailure(sql + ": " + reply.text());
      }
    }
  }

  /** Sends no more; what comes can still be read. */
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  /** Reads up to the end of the connection, whether messages come or not. */
  public void discardToEnd() throws IOException {
    ByteBuffer discarded = ByteBuffer.allocate(DISCARDED_BYTES);
    while (input.read(discarded) >= 0) {
      discarded.clear();
    }
  }

  /** Closes with a reset instead of an orderly end. */
  public void abort() throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    close();
  }

  /** Closes without a Terminate. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException alreadyGone) {
      return;
    }
  }
}
