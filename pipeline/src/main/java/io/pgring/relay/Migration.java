package io.pgring.relay;

import io.pgring.pool.Pool;
import io.pgring.pool.PoolKey;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import java.nio.channels.SelectionKey;

/**
 * Moves idle server connections to the lane whose sessions have waited longest for one, since the
 * limit on them is one for all lanes. A connection travels with its permit, clean and without
 * unread bytes; one that arrives too late is kept by the lane that asked. Relay's thread; between
 * lanes it goes through their inboxes.
 */
final class Migration {
  private final RelayContext context;
  private final ServerConnection.Events events;
  private final WorkList<ServerConnection> leaving = new WorkList<>();
  private final WorkList<Integer> destinations = new WorkList<>();

  Migration(RelayContext context, ServerConnection.Events events) {
    this.context = context;
    this.events = events;
  }

  /**
   * Asks the other lanes for an idle connection; those released later go to who waits longest
   * anyway.
   */
  void ask(Pool pool) {
    RelayStage[] lanes = context.shared.lanes();
    PoolKey key = pool.shared().key();
    for (int lane = 0; lane < lanes.length; lane++) {
      if (lane != context.lane) {
        RelayStage sibling = lanes[lane];
        sibling.post(() -> sibling.giveIdle(key, context.lane));
      }
    }
  }

  /** Gives an idle connection of this lane away, if there is one. */
  void giveIdle(Pool pool, int toLane) {
    if (pool.waitingCount() > 0) {
      return;
    }
    ServerConnection idle = pool.pollIdle();
    if (idle != null) {
      send(idle, toLane);
    }
  }

  /** True when a clean connection can leave. */
  static boolean canLeave(ServerConnection server) {
    return server.isClean() && server.incomplete().isEmpty() && server.cancelsInFlight == 0;
  }

  /** Takes a clean connection out of this lane. */
  void send(ServerConnection server, int toLane) {
    server.state = State.MOVING;
    server.pool().remove(server);
    // A channel can be registered elsewhere only after this selector has forgotten it, which its
    // next select does.
    server.key.cancel();
    leaving.add(server);
    destinations.add(toLane);
  }

  boolean isIdle() {
    return leaving.isEmpty();
  }

  /**
   * Hands over what was sent in the cycle before; called at the beginning of the end of a cycle.
   */
  int handOver() {
    int count = leaving.size();
    for (int i = 0; i < count; i++) {
      ServerConnection server = leaving.get(i);
      RelayStage lane = context.shared.lanes()[destinations.get(i)];
      lane.post(() -> lane.receive(server));
    }
    leaving.removeFirst(count);
    destinations.removeFirst(count);
    return count;
  }

  /** Takes a connection of another lane in. */
  void receive(ServerConnection departed) {
    PoolKey key = departed.pool().shared().key();
    Pool pool = context.poolOf(departed.pool().shared(), key);
    ServerConnection server = departed.movedTo(pool, context.slabs, events);
    pool.add(server);
    server.state = State.ACTIVE;
    // It was in no lane when the lanes were told.
    server.retire |= server.madeFor != pool.shared().generation();
    server.key =
        server.channel().register(context.selector.selector(), SelectionKey.OP_READ, server);
    context.releaseLater(server);
  }
}
