package io.pgring.bench.wire;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One client of a {@link Crowd}; confined to the crowd's thread. */
public final class CrowdMember {
  private final LoginExchange login;
  private final ReplyReader replies = new ReplyReader();
  private SocketChannel channel;
  private boolean loggedIn;
  private int asked;
  private int answered;
  private String failure;
  private long startedNs;
  private long answeredNs;

  CrowdMember(Account account) {
    login = new LoginExchange(account);
  }

  void connect(Selector selector, InetSocketAddress address) {
    startedNs = System.nanoTime();
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_CONNECT, this);
      channel.connect(address);
    } catch (IOException e) {
      fail(e.getMessage());
    }
  }

  void onReady(SelectionKey key) {
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        key.interestOps(SelectionKey.OP_READ);
        send(login.startup());
      } else {
        read();
      }
    } catch (IOException | BenchFailure e) {
      fail(e.getMessage());
    }
  }

  private void read() throws IOException {
    if (replies.readFrom(channel) < 0) {
      fail("the connection has ended");
      return;
    }
    for (Reply reply = replies.next(); reply != null; reply = replies.next()) {
      onReply(reply);
    }
  }

  private void onReply(Reply reply) throws IOException {
    switch (reply.type()) {
      case Reply.AUTHENTICATION -> send(login.answer(reply.body()));
      case Reply.ERROR -> fail(reply.text());
      case Reply.READY -> onReadyForQuery();
      default -> {}
    }
  }

  private void onReadyForQuery() {
    if (loggedIn) {
      answered++;
      answeredNs = System.nanoTime();
    } else {
      loggedIn = true;
      ask();
    }
  }

  /** Sends a query, whether the one before was answered or not. */
  public void ask() {
    asked++;
    try {
      send(Requests.query("select 1"));
    } catch (IOException e) {
      fail(e.getMessage());
    }
  }

  /** Messages this small fit into the socket's empty buffer. */
  private void send(byte[] bytes) throws IOException {
    if (channel.write(ByteBuffer.wrap(bytes)) < bytes.length) {
      throw new IOException("the socket takes no more");
    }
  }

  private void fail(String reason) {
    failure = reason;
    leave();
  }

  /** Closes the connection. */
  public void leave() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException alreadyGone) {
      return;
    }
  }

  /**
   * @return whether all that it asked was answered
   */
  public boolean served() {
    return failure == null && loggedIn && answered == asked;
  }

  /**
   * @return why it is out; null while it is not
   */
  public String failure() {
    return failure;
  }

  /**
   * @return whether it was served, or is out
   */
  public boolean settled() {
    return failure != null || served();
  }

  /**
   * @return from the begin of its connect to its latest answer, in milliseconds
   */
  public double answerMillis() {
    return (answeredNs - startedNs) / 1e6;
  }
}
