package io.pgring.pool;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the lanes tell each other about one pool, so that an idle connection goes to the lane whose
 * sessions have waited longest, and so that nobody is asked who has nothing to give. Any thread;
 * each lane writes its own entries, except where a method says otherwise. Lives as long as the
 * pool.
 *
 * <p>A lane first writes its own side, then reads the other's, and both are volatile: of a session
 * that begins to wait and a connection that becomes idle at the same time in another lane, at least
 * one lane sees the other's.
 */
public final class LaneDemand {
  /** Ticket of a lane where nobody waits. */
  static final long NOBODY = Long.MAX_VALUE;

  /** Entries of a lane are two cache lines away from those of the next. */
  private static final int STRIDE = 16;

  /** Ticket of the session that has waited longest. */
  private static final int OLDEST = 0;

  /** Number of sessions that wait. */
  private static final int WAITING = 1;

  /** 1 when the lane has an idle connection, else 0. */
  private static final int IDLE = 2;

  /** Number of connections that others have sent and the lane has not taken in yet. */
  private static final int COMING = 3;

  /** Number of connections that others have asked for since the lane last looked. */
  private static final int ASKED = 4;

  private final int lanes;
  private final AtomicLongArray entries;

  LaneDemand(int lanes) {
    this.lanes = lanes;
    this.entries = new AtomicLongArray(lanes * STRIDE);
    for (int lane = 0; lane < lanes; lane++) {
      entries.set(lane * STRIDE + OLDEST, NOBODY);
    }
  }

  // --- sessions that wait

  /**
   * Tells who waits in this lane.
   *
   * @param oldestTicket of the first of them, {@link #NOBODY} when there is none
   */
  void waiting(int lane, long oldestTicket, int count) {
    if (lanes > 1) {
      entries.set(lane * STRIDE + WAITING, count);
      entries.set(lane * STRIDE + OLDEST, oldestTicket);
    }
  }

  /**
   * The other lane whose oldest ticket is the smallest of all, and smaller than the given one; or
   * -1. Lanes that have as many connections coming as sessions waiting do not count.
   */
  int laneThatWaitsLonger(int lane, long ownTicket) {
    int longest = -1;
    long smallest = ownTicket;
    for (int other = 0; other < lanes; other++) {
      long ticket = other == lane ? NOBODY : entries.get(other * STRIDE + OLDEST);
      if (ticket < smallest
          && entries.get(other * STRIDE + WAITING) > entries.get(other * STRIDE + COMING)) {
        smallest = ticket;
        longest = other;
      }
    }
    return longest;
  }

  // --- connections that are idle

  /** Tells whether this lane has an idle connection. */
  void idle(int lane, boolean some) {
    if (lanes > 1) {
      entries.set(lane * STRIDE + IDLE, some ? 1 : 0);
    }
  }

  /** True when the lane has told that it has an idle connection. */
  public boolean hasIdle(int lane) {
    return entries.get(lane * STRIDE + IDLE) != 0;
  }

  // --- connections on their way

  /** Notes, in the lane that gives, that a connection is on its way. */
  public void sent(int toLane) {
    entries.incrementAndGet(toLane * STRIDE + COMING);
  }

  /** Notes, in the lane that was given it, that a connection has come. */
  public void arrived(int lane) {
    entries.decrementAndGet(lane * STRIDE + COMING);
  }

  // --- questions

  /** Asks another lane for one connection; true when that lane is to be told that it was asked. */
  public boolean ask(int otherLane) {
    return entries.getAndIncrement(otherLane * STRIDE + ASKED) == 0;
  }

  /** How many connections this lane was asked for since the last call. */
  public int takeAsked(int lane) {
    return (int) entries.getAndSet(lane * STRIDE + ASKED, 0);
  }
}
