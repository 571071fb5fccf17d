package io.pgring;

import io.pgring.config.PgringConfig;
import io.pgring.configfile.LoadedConfig;
import io.pgring.transport.Descriptors;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxy as a process: start, reload, shutdown, and the signals that ask for them. The thread
 * that calls {@link #run} waits for requests and carries them out one after the other; the others
 * only leave requests, but for the end at once, which must not wait behind one that takes its time.
 */
final class Service {
  private static final Logger LOG = LoggerFactory.getLogger(Service.class);

  private final Supplier<LoadedConfig> configuration;
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private final AtomicBoolean stopping = new AtomicBoolean();
  private Proxy proxy;

  private enum Request {
    RELOAD,
    /** Transactions may finish. */
    SHUT_DOWN
  }

  /**
   * @param configuration reads it again at a reload
   */
  Service(Supplier<LoadedConfig> configuration) {
    this.configuration = configuration;
  }

  /**
   * Starts the proxy and returns when it has ended.
   *
   * @param config read before from the same source
   * @param whenListening is run once clients can connect
   * @return exit code of the process
   */
  int run(PgringConfig config, Runnable whenListening) {
    StartPlan plan = new StartPlan(config);
    plan.lines().forEach(LOG::info);
    plan.warnings().forEach(LOG::warn);
    try {
      proxy = Proxy.start(config);
    } catch (IOException e) {
      LOG.error(e.getMessage());
      return 1;
    }
    warnOfDescriptors(plan);
    handleSignals();
    LOG.info("listening on {}", addresses());
    whenListening.run();
    serve();
    LOG.info("got shutdown signal, all sessions have ended");
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
    Signals.handle("HUP", () -> requests.add(Request.RELOAD));
  }

  private void onStopSignal(String signal) {
    if (stopping.compareAndSet(false, true)) {
      LOG.info("got {}, shutting down: transactions may finish, a second signal ends them", signal);
      requests.add(Request.SHUT_DOWN);
    } else {
      LOG.info("got {} again, shutting down at once", signal);
      proxy.close();
    }
  }

  private void serve() {
    try {
      while (requests.take() == Request.RELOAD) {
        LOG.info("got SIGHUP, re-reading config");
        reload();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    proxy.shutDown(proxy.shared().config().timeouts().shutdownTimeoutNs());
  }

  /**
   * Puts the configuration in force as it is now; keeps the old one when it has errors. Logs all of
   * it.
   */
  private void reload() {
    LoadedConfig loaded = configuration.get();
    loaded.warnings().forEach(problem -> LOG.warn("{}", problem));
    if (!loaded.isUsable()) {
      List<?> errors = loaded.errors();
      errors.forEach(problem -> LOG.error("{}", problem));
      LOG.error("the configuration was not changed, because of {} errors", errors.size());
      return;
    }
    Set<String> restart = PgringConfig.notReloadable(proxy.shared().config(), loaded.config());
    if (!restart.isEmpty()) {
      LOG.warn("changed, but in force only after a restart: {}", String.join(", ", restart));
    }
    proxy.reload(loaded.config());
    LOG.info("the configuration was reloaded");
  }
}
