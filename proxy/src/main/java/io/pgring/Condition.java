package io.pgring;

import io.pgring.pool.Pool;
import io.pgring.pool.SharedPool;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How the proxy is, for health checks: each complaint is null when all is well. Any thread. */
final class Condition {
  private static final long PATIENCE_S = 3;

  private final Shared shared;

  Condition(Shared shared) {
    this.shared = shared;
  }

  /** Complains when a lane does not get to the end of a duty cycle within seconds. */
  String livenessComplaint() {
    return establishedConnections() == null
        ? "a lane has not ended a duty cycle within " + PATIENCE_S + " s"
        : null;
  }

  /** Complains when new clients are turned away, or when no server that was asked for answers. */
  String readinessComplaint() {
    if (shared.isShuttingDown()) {
      return "shutting down";
    }
    List<Integer> established = establishedConnections();
    if (established == null) {
      return livenessComplaint();
    }
    String failure = null;
    for (SharedPool pool : shared.pools()) {
      failure = pool.logins().lastFailure();
      if (failure == null) {
        return null;
      }
    }
    boolean anyConnection = established.stream().anyMatch(count -> count > 0);
    return failure == null || anyConnection
        ? null
        : "no server connection could be made: " + failure;
  }

  /** Server connections of each lane; null when a lane does not answer in time. */
  private List<Integer> establishedConnections() {
    try {
      return shared.askLanes(Condition::established).get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static int established(RelayStage relay) {
    int count = 0;
    for (Pool pool : relay.pools()) {
      count += pool.serverCount() - pool.connectingCount();
    }
    return count;
  }
}
