package io.pgring.pool;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A session begins to wait in one lane while a connection becomes idle in another: in no order of
 * their steps does it stay idle while the session waits, and no more connections are sent than
 * sessions have waited. Each lane does what relay does, with its own fields; what relay leaves in
 * the other lane's inbox is done at the end. Lincheck makes an instance for each order and calls
 * {@link #nobodyIsOverlooked()} at its end.
 */
@Timeout(180)
public class LaneDemandInterleavingsTest {
  private static final int NEEDY = 0;
  private static final int RICH = 1;

  private final LaneDemand demand = new LaneDemand(2);

  // Of the lane in need.
  private int waiting;
  private int enqueued;
  private boolean told;

  // Of the lane with connections.
  private int idle;
  private int sent;

  /** A session that begins to wait. */
  @Operation(nonParallelGroup = "needy")
  public void enqueue() {
    waiting++;
    enqueued++;
    demand.waiting(NEEDY, 1, waiting);
    if (demand.hasIdle(RICH) && demand.ask(RICH)) {
      told = true;
    }
  }

  /** A session that gives up. */
  @Operation(nonParallelGroup = "needy")
  public void dequeue() {
    if (waiting > 0) {
      waiting--;
      demand.waiting(NEEDY, waiting > 0 ? 1 : LaneDemand.NOBODY, waiting);
    }
  }

  /** A connection that nobody in its own lane waits for. */
  @Operation(nonParallelGroup = "rich")
  public void release() {
    if (isWanted()) {
      send();
      return;
    }
    idle++;
    if (idle == 1) {
      demand.idle(RICH, true);
    }
    give(1);
  }

  private boolean isWanted() {
    return demand.laneThatWaitsLonger(RICH, LaneDemand.NOBODY) == NEEDY;
  }

  private void send() {
    sent++;
    demand.sent(NEEDY);
  }

  private void give(int atMost) {
    for (int given = 0; given < atMost && idle > 0 && isWanted(); given++) {
      idle--;
      if (idle == 0) {
        demand.idle(RICH, false);
      }
      send();
    }
  }

  @Validate
  public void nobodyIsOverlooked() {
    if (told) {
      give(demand.takeAsked(RICH));
    }
    if (sent > enqueued || waiting > sent && idle > 0) {
      throw new IllegalStateException(waiting + " wait, " + sent + " sent, " + idle + " idle");
    }
  }

  @Test
  void aWaitingSessionAndAnIdleConnectionFindEachOther() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(20)
        .invocationsPerIteration(1000)
        .check(LaneDemandInterleavingsTest.class);
  }
}
