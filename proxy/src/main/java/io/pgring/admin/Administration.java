package io.pgring.admin;

import io.pgring.pool.Pool;
import io.pgring.pool.ServerConnection;
import io.pgring.pool.SharedPool;
import io.pgring.relay.Console;
import io.pgring.relay.RelayStage;
import io.pgring.relay.Shared;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The commands of one session that change databases or settings. What they change is in force at
 * once; some are answered only when server connections have closed, which the lanes are asked for
 * again and again, since nobody tells when a transaction ends. Any thread, one command at a time.
 */
final class Administration {
  private static final long INTERVAL_MS = 20;

  private final Shared shared;
  private final ScheduledExecutorService background;
  private volatile Waiting waiting;

  /** A command that is not answered yet, and what takes it back. */
  private record Waiting(CompletableFuture<Result> answer, Runnable undo) {}

  Administration(Shared shared, ScheduledExecutorService background) {
    this.shared = shared;
    this.background = background;
  }

  // --- waiting

  /** Gives up what the session waits for; a pause that is not complete ends. */
  void cancel() {
    Waiting given = waiting;
    if (given != null
        && given.answer.completeExceptionally(
            new ConsoleError("57014", "canceling statement due to user request", null))) {
      given.undo.run();
    }
  }

  /** Answers with the tag as soon as the condition, looked at by all lanes, holds. */
  private CompletableFuture<Result> await(
      String tag, Supplier<CompletableFuture<Boolean>> condition, Runnable undo) {
    CompletableFuture<Result> answer = new CompletableFuture<>();
    waiting = new Waiting(answer, undo);
    look(tag, condition, answer);
    return answer;
  }

  private void look(
      String tag,
      Supplier<CompletableFuture<Boolean>> condition,
      CompletableFuture<Result> answer) {
    if (answer.isDone()) {
      return;
    }
    condition
        .get()
        .whenComplete(
            (holds, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else if (holds) {
                answer.complete(Result.of(tag));
              } else {
                background.schedule(
                    () -> look(tag, condition, answer), INTERVAL_MS, TimeUnit.MILLISECONDS);
              }
            });
  }

  // --- pauses

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
    return await("PAUSE", () -> isDrained(database), () -> endPause(database));
  }

  /**
   * Pauses a database, and ends its sessions and server connections without waiting for anything.
   *
   * @param database null for all
   * @return completed when its server connections are closed
   */
  CompletableFuture<Result> kill(String database) {
    requireDatabase(database);
    shared.pauses().pause(database, shared.pools());
    pools(database).forEach(SharedPool::reconnect);
    return shared
        .askLanes(
            relay -> {
              relay.kill(database);
              return relay;
            })
        .thenCompose(lanes -> await("KILL", () -> isDrained(database), () -> {}));
  }

  private CompletableFuture<Boolean> isDrained(String database) {
    boolean paused =
        database == null ? shared.pauses().coversAll() : shared.pauses().covers(database);
    if (!paused) {
      return CompletableFuture.failedFuture(
          new ConsoleError("57014", "RESUME has ended the pause", null));
    }
    return shared
        .askLanes(
            relay -> {
              relay.drainPaused();
              return relay;
            })
        .thenApply(
            lanes -> pools(database).stream().mapToInt(pool -> pool.permits().used()).sum() == 0);
  }

  /** Ends the pause of a database; null: of all. */
  Result resume(String database) {
    requireDatabase(database);
    if (!endPause(database)) {
      String what = database == null ? "pooler" : "database " + database;
      throw new ConsoleError("55000", what + " is not paused", null);
    }
    return Result.of("RESUME");
  }

  private boolean endPause(String database) {
    if (!shared.pauses().resume(database, shared.pools())) {
      return false;
    }
    for (RelayStage lane : shared.lanes()) {
      lane.post(lane::resumePaused);
    }
    return true;
  }

  // --- server connections

  /** Lets no client have a server connection any more that exists by now; null: of all. */
  CompletableFuture<Result> reconnect(String database) {
    requireDatabase(database);
    pools(database).forEach(SharedPool::reconnect);
    return shared
        .askLanes(
            relay -> {
              relay.retireObsolete();
              return relay;
            })
        .thenApply(lanes -> Result.of("RECONNECT"));
  }

  /** Answers when no connection is left that is to be closed as soon as it is free. */
  CompletableFuture<Result> waitClose(String database) {
    requireDatabase(database);
    return await(
        "WAIT_CLOSE",
        () ->
            shared
                .askLanes(relay -> hasObsolete(relay, database))
                .thenApply(lanes -> !lanes.contains(true)),
        () -> {});
  }

  private static boolean hasObsolete(RelayStage relay, String database) {
    for (Pool pool : relay.pools()) {
      for (int i = 0; i < pool.serverCount(); i++) {
        if (isOf(pool.shared(), database) && isObsolete(pool.server(i))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isObsolete(ServerConnection server) {
    return server.retire || server.madeFor != server.pool().shared().generation();
  }

  // --- admission

  /** Turns away clients that log in to a database from now on; those it has stay. */
  Result disable(String database) {
    requireDatabase(database);
    shared.disabledDatabases().add(database);
    return Result.of("DISABLE");
  }

  /** Lets clients in again. */
  Result enable(String database) {
    requireDatabase(database);
    shared.disabledDatabases().remove(database);
    return Result.of("ENABLE");
  }

  // --- settings

  /** Changes a key of the top level until the file is read again. */
  CompletableFuture<Result> set(Setting setting) {
    // Not on a lane: the keys of new passwords may have to be derived.
    return CompletableFuture.supplyAsync(
        () -> {
          shared.change(setting::applyTo);
          return Result.of("SET");
        },
        background);
  }

  // --- helpers

  private List<SharedPool> pools(String database) {
    List<SharedPool> pools = new ArrayList<>();
    for (SharedPool pool : shared.pools()) {
      if (isOf(pool, database)) {
        pools.add(pool);
      }
    }
    return pools;
  }

  private static boolean isOf(SharedPool pool, String database) {
    return database == null || database.equals(pool.key().database());
  }

  private void requireDatabase(String database) {
    if (Console.DATABASE.equals(database)) {
      throw new ConsoleError("0A000", "the console itself is always there", null);
    }
    if (database != null && shared.config().database(database) == null) {
      throw new ConsoleError("3D000", "no such database: " + database, null);
    }
  }
}
