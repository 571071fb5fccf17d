package io.pgring.admin.show;

import io.pgring.config.PoolMode;
import io.pgring.pool.Pool;
import io.pgring.pool.PoolKey;
import io.pgring.pool.ServerConnection;

/** The state of a pool in one lane, or in several. A value; used by the thread that made it. */
final class PoolSample {
  final PoolKey key;
  final PoolMode mode;
  int clients;
  int clientsWaiting;
  int serversActive;
  int serversCancelling;
  int serversBeingCancelled;
  int serversIdle;
  int serversCleaning;
  int serversLoggingIn;
  long longestWaitNs;
  int concurrency;
  Traffic traffic;

  private PoolSample(PoolKey key, PoolMode mode) {
    this.key = key;
    this.mode = mode;
  }

  /** Samples one lane's pool; on the lane's thread. */
  static PoolSample of(Pool pool, PoolMode mode, long nowNs) {
    PoolSample sample = new PoolSample(pool.shared().key(), mode);
    sample.clients = pool.sessionCount();
    sample.clientsWaiting = pool.waitingCount() + pool.awaitingWelcome();
    if (pool.firstWaiting() != null) {
      sample.longestWaitNs = nowNs - pool.firstWaiting().waitSinceNs;
    }
    for (int i = 0; i < pool.serverCount(); i++) {
      sample.add(pool.server(i));
    }
    sample.concurrency = pool.concurrency();
    sample.traffic = Traffic.of(pool);
    return sample;
  }

  private void add(ServerConnection server) {
    serversCancelling += server.cancelsInFlight;
    switch (server.state) {
      case CONNECTING, LOGGING_IN -> serversLoggingIn++;
      case IDLE -> serversIdle++;
      case CLEANING -> {
        if (server.cancelsInFlight > 0) {
          serversBeingCancelled++;
        } else {
          serversCleaning++;
        }
      }
      case CLOSED -> {}
      default -> serversActive++;
    }
  }

  /** Adds the same pool in another lane. */
  PoolSample plus(PoolSample other) {
    PoolSample sum = new PoolSample(key, mode);
    sum.clients = clients + other.clients;
    sum.clientsWaiting = clientsWaiting + other.clientsWaiting;
    sum.serversActive = serversActive + other.serversActive;
    sum.serversCancelling = serversCancelling + other.serversCancelling;
    sum.serversBeingCancelled = serversBeingCancelled + other.serversBeingCancelled;
    sum.serversIdle = serversIdle + other.serversIdle;
    sum.serversCleaning = serversCleaning + other.serversCleaning;
    sum.serversLoggingIn = serversLoggingIn + other.serversLoggingIn;
    sum.longestWaitNs = Math.max(longestWaitNs, other.longestWaitNs);
    sum.concurrency = Math.max(concurrency, other.concurrency);
    sum.traffic = traffic.plus(other.traffic);
    return sum;
  }

  int servers() {
    return serversActive + serversBeingCancelled + serversIdle + serversCleaning + serversLoggingIn;
  }
}
