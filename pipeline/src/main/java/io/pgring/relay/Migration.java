package io.pgring.relay;

import io.pgring.pool.LaneDemand;
import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.ServerConnection.State;
import io.pgring.pool.SharedPool;
import java.nio.channels.SelectionKey;

/**
 * Moves idle server connections to the lane whose sessions have waited longest for one, since the
 * limit on them is one for all lanes. A connection travels with its permit, clean and without
 * unread bytes; one that arrives too late is kept by the lane that asked. Relay's thread; between
 * lanes it goes through their inboxes.
 *
 * <p>A connection keeps a selection key in each lane where it has been, without interest in the
 * others than the one that owns it, so that only its first visit to a lane allocates.
 */
final class Migration {
  private final RelayContext context;
  private final ServerConnection.Events events;
  private final WorkList<ServerConnection> leaving = new WorkList<>();

  Migration(RelayContext context, ServerConnection.Events events) {
    this.context = context;
    this.events = events;
  }

  /**
   * Asks the lanes that have an idle connection for one; those released later go to who waits
   * longest anyway.
   *
   * @param makeRoom the others are asked as well, to close a connection of another pool that stands
   *     in the way
   */
  void ask(SharedPool shared, boolean makeRoom) {
    LaneDemand demand = shared.demand();
    RelayStage[] lanes = context.shared.lanes();
    for (int lane = 0; lane < lanes.length; lane++) {
      if (lane != context.lane && (makeRoom || demand.hasIdle(lane)) && demand.ask(lane)) {
        lanes[lane].need(shared);
      }
    }
  }

  /** Gives idle connections of this lane to those who wait longer; returns how many. */
  int giveIdle(Pool pool, int atMost) {
    int given = 0;
    while (given < atMost && pool.idleCount() > 0 && pool.waitingCount() == 0) {
      int toLane = pool.laneThatWaitsLonger();
      if (toLane < 0) {
        break;
      }
      ServerConnection idle = pool.pollIdle();
      if (!canLeave(idle)) {
        pool.offerIdle(idle);
        break;
      }
      send(idle, toLane);
      given++;
    }
    return given;
  }

  /** True when a clean connection can leave. */
  static boolean canLeave(ServerConnection server) {
    return server.isClean() && server.incomplete().isEmpty() && server.cancelsInFlight == 0;
  }

  /** Takes a clean connection out of this lane. */
  void send(ServerConnection server, int toLane) {
    server.state = State.MOVING;
    server.destination = toLane;
    server.pool().remove(server);
    server.pool().shared().demand().sent(toLane);
    // This lane's next select forgets the socket before it looks for anything ready.
    server.key.interestOps(0);
    leaving.add(server);
  }

  /**
   * Hands over what was sent in this cycle; the last step of a cycle, when nothing in this lane is
   * about to touch a connection any more.
   */
  void handOver() {
    int count = leaving.size();
    for (int i = 0; i < count; i++) {
      ServerConnection server = leaving.get(i);
      context.shared.lanes()[server.destination].arrive(server);
    }
    leaving.removeFirst(count);
  }

  /** Takes a connection of another lane in. */
  void receive(ServerConnection server) {
    SharedPool shared = server.pool().shared();
    Pool pool = context.poolOf(shared, shared.key());
    server.movedTo(pool, context.slabs, events);
    pool.add(server);
    // It was in no lane when the lanes were told.
    server.retire |= server.madeFor != shared.generation();
    server.key =
        server.channel().register(context.selector.selector(), SelectionKey.OP_READ, server);
  }
}
