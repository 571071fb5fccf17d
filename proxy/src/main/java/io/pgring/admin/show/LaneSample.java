package io.pgring.admin.show;

import io.pgring.config.PgringConfig;
import io.pgring.config.PoolMode;
import io.pgring.config.UserConfig;
import io.pgring.pool.Pool;
import io.pgring.pool.PoolKey;
import io.pgring.relay.RelayStage;
import io.pgring.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pools of one lane at one moment. A value.
 *
 * @param pools of that lane
 * @param consoleClients sessions of the console
 * @param loginClients clients that have not logged in yet
 */
record LaneSample(List<PoolSample> pools, int consoleClients, int loginClients) {
  /** Samples a lane; on its thread. */
  static LaneSample of(RelayStage relay, PgringConfig config) {
    List<PoolSample> pools = new ArrayList<>();
    for (Pool pool : relay.pools()) {
      pools.add(PoolSample.of(pool, mode(pool, config), relay.nowNs()));
    }
    int console = 0;
    int login = 0;
    for (Session session : relay.sessions()) {
      if (session == null) {
        continue;
      }
      switch (session.phase) {
        case STARTUP, AUTHENTICATING -> login++;
        case CONSOLE -> console++;
        case AWAITING_WELCOME -> awaits(session, pools, relay.nowNs());
        default -> {}
      }
    }
    return new LaneSample(pools, console, login);
  }

  private static PoolMode mode(Pool pool, PgringConfig config) {
    UserConfig user = config.user(pool.shared().key().user());
    return user == null
        ? pool.shared().database().poolMode()
        : pool.shared().database().poolModeFor(user);
  }

  private static void awaits(Session session, List<PoolSample> pools, long nowNs) {
    for (PoolSample sample : pools) {
      if (sample.key.equals(session.pool.shared().key())) {
        sample.longestWaitNs = Math.max(sample.longestWaitNs, nowNs - session.waitSinceNs);
      }
    }
  }

  /** The pools of all lanes, each once, by database and user. */
  static List<PoolSample> pools(List<LaneSample> lanes) {
    Map<String, PoolSample> sums = new TreeMap<>();
    for (LaneSample lane : lanes) {
      for (PoolSample pool : lane.pools) {
        sums.merge(sortKey(pool.key), pool, PoolSample::plus);
      }
    }
    return List.copyOf(sums.values());
  }

  private static String sortKey(PoolKey key) {
    return key.database() + '\0' + key.user();
  }
}
