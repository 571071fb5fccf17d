package io.pgring;

import io.pgring.admin.Operations;
import io.pgring.config.PgringConfig;
import io.pgring.configfile.LoadedConfig;
import io.pgring.configfile.Problem;
import io.pgring.transport.Descriptors;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxy as a process: start, reload, shutdown, and the signals and commands that ask for them.
 * The thread that calls {@link #run} does what others ask for, one thing after the other; but for
 * the end at once, which must not wait behind one that takes its time.
 */
final class Service implements Operations {
  private static final Logger LOG = LoggerFactory.getLogger(Service.class);

  private final Supplier<LoadedConfig> configuration;
  private final PgringConfig started;
  private final BlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();
  private final AtomicBoolean stopping = new AtomicBoolean();
  private Proxy proxy;

  /**
   * @param started configuration to start with
   * @param configuration reads it again at a reload
   */
  Service(PgringConfig started, Supplier<LoadedConfig> configuration) {
    this.started = started;
    this.configuration = configuration;
  }

  /**
   * Starts the proxy and returns when it has ended.
   *
   * @param whenListening is told the TCP port, or 0, once clients can connect
   * @return exit code of the process
   */
  int run(IntConsumer whenListening) {
    StartPlan plan = new StartPlan(started);
    plan.lines().forEach(LOG::info);
    plan.warnings().forEach(LOG::warn);
    try {
      proxy = Proxy.start(started, this);
    } catch (IOException e) {
      LOG.error(e.getMessage());
      return 1;
    }
    warnOfDescriptors(plan);
    handleSignals();
    if (proxy.httpPort() != 0) {
      LOG.info("health checks on http://{}:{}", started.http().host(), proxy.httpPort());
    }
    LOG.info("listening on {}", addresses());
    whenListening.accept(proxy.port());
    serve();
    LOG.info("shut down, all sessions have ended");
    return 0;
  }

  private static void warnOfDescriptors(StartPlan plan) {
    String shortage = Descriptors.shortage(plan.clientConnections(), plan.serverConnections());
    if (shortage != null) {
      LOG.warn(shortage);
    }
  }

  private String addresses() {
    return proxy.listeners().stream()
        .map(listener -> StartPlan.text(listener.boundAddress()))
        .collect(Collectors.joining(", "));
  }

  private void handleSignals() {
    Signals.handle("TERM", () -> onStopSignal("SIGTERM"));
    Signals.handle("INT", () -> onStopSignal("SIGINT"));
    Signals.handle("HUP", this::onReloadSignal);
  }

  private void onReloadSignal() {
    LOG.info("got SIGHUP, re-reading config");
    reload();
  }

  private void onStopSignal(String signal) {
    boolean first = !stopping.get();
    LOG.info(
        "got {}, shutting down {}",
        signal,
        first ? "when transactions have finished; a second signal ends them" : "at once");
    shutDown(!first);
  }

  private void serve() {
    try {
      while (!stopping.get()) {
        requests.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    proxy.shutDown(proxy.shared().config().timeouts().shutdownTimeoutNs());
  }

  @Override
  public void shutDown(boolean atOnce) {
    stopping.set(true);
    if (atOnce) {
      // Its caller may be a lane, which has to go on for the proxy to end.
      new Thread(proxy::close, "pgring-stop").start();
    }
    requests.add(() -> {});
  }

  @Override
  public CompletableFuture<List<String>> reload() {
    CompletableFuture<List<String>> reloaded = new CompletableFuture<>();
    requests.add(() -> reloaded.complete(reloadNow().stream().map(Problem::toString).toList()));
    return reloaded;
  }

  /**
   * Puts the configuration in force as it is now, or keeps the old one when it has errors, which it
   * returns.
   */
  private List<Problem> reloadNow() {
    LoadedConfig loaded = configuration.get();
    loaded.warnings().forEach(problem -> LOG.warn("{}", problem));
    if (!loaded.isUsable()) {
      loaded.errors().forEach(problem -> LOG.error("{}", problem));
      LOG.error("reload failed, the old configuration stays in force");
      return loaded.errors();
    }
    Set<String> restart = PgringConfig.notReloadable(started, loaded.config());
    if (!restart.isEmpty()) {
      LOG.warn("changed, but in force only after a restart: {}", String.join(", ", restart));
    }
    proxy.reload(loaded.config());
    LOG.info("the configuration was reloaded");
    return List.of();
  }
}
