package io.pgring;

import io.pgring.admin.AdminConsole;
import io.pgring.admin.Operations;
import io.pgring.config.Limits;
import io.pgring.config.PgringConfig;
import io.pgring.health.HealthServer;
import io.pgring.lane.Lane;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import io.pgring.transport.Address;
import io.pgring.transport.Channel;
import io.pgring.transport.accept.AcceptorAgent;
import io.pgring.transport.accept.ListenOptions;
import io.pgring.transport.accept.Listener;
import io.pgring.transport.resolve.NameLookup;
import io.pgring.transport.resolve.ResolvedAddress;
import io.pgring.transport.resolve.ResolverAgent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root: makes the lanes, the listeners and the threads, and ends them in order. One
 * instance is one proxy; a process may have several. Any thread.
 */
public final class Proxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);
  private static final long ACCEPT_BLOCK_MS = 1000;
  private static final int CLOSE_TIMEOUT_MS = 2000;
  private static final int RESOLVER_PAUSE_MS = 100;

  private final ErrorHandler errorHandler =
      fault -> LOG.error("unexpected fault, the work at hand was given up", fault);
  private final Shared shared;
  private final ScheduledExecutorService background;
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final List<AgentRunner> laneRunners = new ArrayList<>();
  private final AcceptorAgent acceptor;
  private final AgentRunner acceptorRunner;
  private final AgentRunner resolverRunner;
  private HealthServer health;
  private volatile boolean closed;

  private Proxy(PgringConfig config, Operations operations) throws IOException {
    background =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "pgring-background"));
    ResolverAgent resolver =
        new ResolverAgent(
            NameLookup.system(),
            SystemNanoClock.INSTANCE,
            config.timeouts().dnsTtlNs(),
            this::onAddressesChanged);
    AdminConsole console = new AdminConsole(VersionCommand.text(), operations, background);
    shared = new Shared(config, resolver, background, console);
    for (int lane = 0; lane < config.lanes(); lane++) {
      lanes.add(new Lane(lane, config.threading(), shared, errorHandler));
    }
    shared.lanes(lanes.stream().map(Lane::relay).toArray(RelayStage[]::new));
    listen(config);
    acceptor =
        new AcceptorAgent(
            listeners, config.limits().acceptsPerCycle(), ACCEPT_BLOCK_MS, this::toEmptiestLane);
    resolverRunner =
        start(resolver, new SleepingMillisIdleStrategy(RESOLVER_PAUSE_MS), "pgring-resolver");
    for (Lane lane : lanes) {
      for (Lane.Worker worker : lane.workers()) {
        String name = "pgring-" + worker.agent().roleName() + "-" + lane.number();
        laneRunners.add(start(worker.agent(), worker.idleStrategy(), name));
      }
    }
    acceptorRunner = start(acceptor, NoOpIdleStrategy.INSTANCE, "pgring-acceptor");
    console.start(shared);
  }

  /**
   * Starts a proxy; it accepts clients when this returns.
   *
   * @throws IOException when an address cannot be listened on; the message names it
   */
  public static Proxy start(PgringConfig config) throws IOException {
    return start(config, Operations.NONE);
  }

  /**
   * Starts a proxy as a process of its own.
   *
   * @param operations what its console can ask of the process
   * @throws IOException when an address cannot be listened on; the message names it
   */
  static Proxy start(PgringConfig config, Operations operations) throws IOException {
    return new Proxy(config, operations);
  }

  private void onAddressesChanged(ResolvedAddress resolved) {
    for (Lane lane : lanes) {
      lane.relay().post(() -> lane.relay().onAddressesChanged(resolved));
    }
  }

  private void listen(PgringConfig config) throws IOException {
    Limits limits = config.limits();
    String group = config.unixSocketGroup();
    ListenOptions options =
        new ListenOptions(
            limits.listenBacklog(),
            config.unixSocketMode(),
            group == null ? "" : group,
            config.socketOptions());
    try {
      for (Address address : config.listen()) {
        listeners.add(Listener.open(address, options));
      }
      if (config.http() != null) {
        Condition condition = new Condition(shared);
        health =
            HealthServer.start(
                config.http(), condition::livenessComplaint, condition::readinessComplaint);
      }
    } catch (IOException e) {
      for (Listener listener : listeners) {
        listener.close();
      }
      background.shutdown();
      throw e;
    }
  }

  private void toEmptiestLane(Channel channel) {
    Lane emptiest = lanes.get(0);
    for (Lane lane : lanes) {
      if (lane.selectorAgent().clientCount() < emptiest.selectorAgent().clientCount()) {
        emptiest = lane;
      }
    }
    if (!emptiest.selectorAgent().adopt(channel)) {
      channel.close();
    }
  }

  private AgentRunner start(Agent agent, IdleStrategy idleStrategy, String name) {
    AgentRunner runner = new AgentRunner(idleStrategy, errorHandler, null, agent);
    // Not by startOnThread, which gives the thread the agent's name.
    daemon(runner, name).start();
    return runner;
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Port of the first TCP address that is listened on; 0 when there is none. */
  public int port() {
    for (Listener listener : listeners) {
      if (listener.boundAddress() instanceof InetSocketAddress address) {
        return address.getPort();
      }
    }
    return 0;
  }

  /** Addresses that are listened on. */
  public List<Listener> listeners() {
    return listeners;
  }

  /** Port of health checks; 0 when there are none. */
  public int httpPort() {
    return health == null ? 0 : health.port();
  }

  /** What the lanes share. */
  public Shared shared() {
    return shared;
  }

  /** Puts a changed configuration in force, as far as that is possible without a restart. */
  public void reload(PgringConfig next) {
    shared.reload(next);
  }

  /**
   * Stops accepting, lets transactions end, then ends the sessions that are left.
   *
   * @param timeoutNs how long transactions may take
   */
  public void shutDown(long timeoutNs) {
    shared.shuttingDown();
    acceptor.stopAccepting();
    long deadlineNs = System.nanoTime() + timeoutNs;
    while (!closed && !idleSessionsEnded() && System.nanoTime() - deadlineNs < 0) {
      sleepMs(20);
    }
    close();
  }

  private boolean idleSessionsEnded() {
    boolean[] none = new boolean[lanes.size()];
    onEachLane((lane, relay) -> none[lane] = relay.shutDownIdle());
    for (boolean noneOfLane : none) {
      if (!noneOfLane) {
        return false;
      }
    }
    return true;
  }

  private interface LaneTask {
    void run(int lane, RelayStage relay);
  }

  private void onEachLane(LaneTask task) {
    CountDownLatch done = new CountDownLatch(lanes.size());
    for (Lane lane : lanes) {
      lane.relay()
          .post(
              () -> {
                task.run(lane.number(), lane.relay());
                done.countDown();
              });
    }
    try {
      if (!done.await(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("a lane does not answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleepMs(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends all sessions, telling them so, and all threads. When others close it too, all of them wait
   * for the end.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    acceptor.stopAccepting();
    onEachLane((lane, relay) -> relay.shutDownNow());
    // One more round, so that the messages of the first one have left.
    onEachLane((lane, relay) -> {});
    acceptorRunner.close(CLOSE_TIMEOUT_MS, runner -> {});
    lanes.forEach(Lane::wakeUp);
    laneRunners.forEach(runner -> close(runner));
    resolverRunner.close(CLOSE_TIMEOUT_MS, runner -> {});
    background.shutdownNow();
    if (health != null) {
      health.close();
    }
  }

  private void close(AgentRunner runner) {
    // A lane may be blocked in select, and the runner asks it to end without waking it.
    Thread waker = daemon(() -> wakeUntilClosed(runner), "pgring-waker");
    waker.start();
    runner.close(CLOSE_TIMEOUT_MS, thread -> LOG.warn("{} does not end", thread.getName()));
  }

  private void wakeUntilClosed(AgentRunner runner) {
    while (!runner.isClosed()) {
      lanes.forEach(Lane::wakeUp);
      sleepMs(1);
    }
  }
}
