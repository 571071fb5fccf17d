package io.pgring.admin;

import io.pgring.pool.SharedPool;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * PAUSE and RESUME. A pause is in force at once; PAUSE is answered when no server connection is
 * left, which each lane is asked to see to again and again, since nobody tells when a transaction
 * ends. Any thread.
 */
final class Pausing {
  private static final long INTERVAL_MS = 20;

  private final Shared shared;
  private final ScheduledExecutorService background;

  Pausing(Shared shared, ScheduledExecutorService background) {
    this.shared = shared;
    this.background = background;
  }

  /**
   * Pauses a database.
   *
   * @param database null for all
   * @return completed when its server connections are closed
   */
  CompletableFuture<Result> pause(String database) {
    requireDatabase(database);
    if (!shared.pauses().pause(database, shared.pools())) {
      throw new ConsoleError("55000", "already suspended/paused", null);
    }
    CompletableFuture<Result> paused = new CompletableFuture<>();
    drain(database, paused);
    return paused;
  }

  private void drain(String database, CompletableFuture<Result> paused) {
    if (!isPaused(database)) {
      paused.completeExceptionally(new ConsoleError("57014", "RESUME has ended the pause", null));
      return;
    }
    shared
        .askLanes(
            relay -> {
              relay.drainPaused();
              return relay;
            })
        .thenRun(
            () -> {
              if (openConnections(database) == 0) {
                paused.complete(Result.of("PAUSE"));
              } else {
                background.schedule(
                    () -> drain(database, paused), INTERVAL_MS, TimeUnit.MILLISECONDS);
              }
            });
  }

  private boolean isPaused(String database) {
    return database == null ? shared.pauses().coversAll() : shared.pauses().covers(database);
  }

  private int openConnections(String database) {
    int open = 0;
    for (SharedPool pool : shared.pools()) {
      if (database == null || database.equals(pool.key().database())) {
        open += pool.permits().used();
      }
    }
    return open;
  }

  /** Ends the pause of a database; null: of all. */
  Result resume(String database) {
    requireDatabase(database);
    if (!shared.pauses().resume(database, shared.pools())) {
      String what = database == null ? "pooler" : "database " + database;
      throw new ConsoleError("55000", what + " is not paused", null);
    }
    for (RelayStage lane : shared.lanes()) {
      lane.post(lane::resumePaused);
    }
    return Result.of("RESUME");
  }

  private void requireDatabase(String database) {
    if (database != null && shared.config().database(database) == null) {
      throw new ConsoleError("3D000", "no such database: " + database, null);
    }
  }
}
