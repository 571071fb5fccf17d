package io.pgring.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pgring.transport.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves {@code /healthz}, which fails when the process should be restarted, and {@code /readyz},
 * which fails while no clients should be sent here. 200 or 503, with a line of text. Any thread.
 */
public final class HealthServer implements AutoCloseable {
  private static final int THREADS = 2;
  private static final int BACKLOG = 16;

  private final HttpServer server;
  private final ExecutorService threads;

  private HealthServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Starts to listen.
   *
   * @throws IOException with a sentence for the operator that names the address
   */
  public static HealthServer start(Address address, Probe alive, Probe ready) throws IOException {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), BACKLOG);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("cannot listen on " + address + " for http: " + e.getMessage(), e);
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "pgring-http");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/healthz", exchange -> answer(exchange, "/healthz", alive));
    server.createContext("/readyz", exchange -> answer(exchange, "/readyz", ready));
    server.start();
    return new HealthServer(server, threads);
  }

  private static void answer(HttpExchange exchange, String path, Probe probe) throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(path)) {
        respond(exchange, 404, "not found");
        return;
      }
      String complaint = probe.complaint();
      respond(exchange, complaint == null ? 200 : 503, complaint == null ? "ok" : complaint);
    }
  }

  private static void respond(HttpExchange exchange, int code, String line) throws IOException {
    byte[] body = (line + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(code, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }

  /** Port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
