package io.pgring.relay;

import io.pgring.pipeline.LaneSelector;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.SharedPool;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * What other threads leave for the relay of a lane: commands, connections that move here, and pools
 * of which another lane is in need. Any thread adds, and wakes the lane; only relay's thread takes.
 * Nothing is allocated while the lane keeps up.
 */
final class Inbox {
  private static final int CHUNK = 256;

  private final LaneSelector selector;
  private final MpscUnboundedArrayQueue<Runnable> commands = new MpscUnboundedArrayQueue<>(CHUNK);
  private final MpscUnboundedArrayQueue<ServerConnection> arrivals =
      new MpscUnboundedArrayQueue<>(CHUNK);
  private final MpscUnboundedArrayQueue<SharedPool> needs = new MpscUnboundedArrayQueue<>(CHUNK);

  /**
   * @param selector in whose wait relay's thread may be
   */
  Inbox(LaneSelector selector) {
    this.selector = selector;
  }

  /** Leaves a command to be run in the lane's next duty cycle. */
  void post(Runnable command) {
    commands.add(command);
    selector.wakeUp();
  }

  /** Leaves a connection that another lane has given away. */
  void arrive(ServerConnection server) {
    arrivals.add(server);
    selector.wakeUp();
  }

  /** Leaves a pool of which another lane needs a connection; at most once until it is taken. */
  void need(SharedPool pool) {
    needs.add(pool);
    selector.wakeUp();
  }

  boolean isEmpty() {
    return commands.isEmpty() && arrivals.isEmpty() && needs.isEmpty();
  }

  // Relaxed: who is about to add something is not waited for; isEmpty() tells of it already.

  /** The next command, or null. */
  Runnable command() {
    return commands.relaxedPoll();
  }

  /** The next connection that has come, or null. */
  ServerConnection arrival() {
    return arrivals.relaxedPoll();
  }

  /** The next pool of which another lane needs a connection, or null. */
  SharedPool need() {
    return needs.relaxedPoll();
  }
}
