package io.pgring.bench.fuzz;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A relay that keeps what clients send. Two threads for each connection, which end with it; the
 * other methods are for the thread that opened it.
 */
final class Recorder implements AutoCloseable {
  private static final int BUFFER_BYTES = 8_192;
  private static final long END_LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final List<ByteArrayOutputStream> recordings = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private Recorder(Endpoint target) throws IOException {
    this.target = new InetSocketAddress(target.host(), target.port());
    this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  }

  static Recorder before(Endpoint target) {
    try {
      Recorder recorder = new Recorder(target);
      recorder.start(recorder::acceptAll);
      return recorder;
    } catch (IOException e) {
      throw new BenchFailure("cannot record: " + e.getMessage(), e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(target.getAddress(), target.getPort());
        ByteArrayOutputStream recording = new ByteArrayOutputStream();
        synchronized (this) {
          recordings.add(recording);
        }
        start(() -> copy(client, server, recording));
        start(() -> copy(server, client, OutputStream.nullOutputStream()));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private static void copy(Socket from, Socket to, OutputStream recording) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream input = from.getInputStream();
      for (int count = input.read(buffer); count > 0; count = input.read(buffer)) {
        recording.write(buffer, 0, count);
        to.getOutputStream().write(buffer, 0, count);
      }
    } catch (IOException closed) {
      return;
    }
  }

  private synchronized void start(Runnable task) {
    Thread thread = new Thread(task, "recorder");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** Stops listening, waits for the end of all connections, and returns what was sent on each. */
  List<Conversation> conversations() {
    close();
    List<Thread> running;
    synchronized (this) {
      running = List.copyOf(threads);
    }
    try {
      for (Thread thread : running) {
        thread.join(END_LIMIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
    synchronized (this) {
      return recordings.stream()
          .map(ByteArrayOutputStream::toByteArray)
          .map(Conversation::of)
          .toList();
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException alreadyClosed) {
      return;
    }
  }
}
