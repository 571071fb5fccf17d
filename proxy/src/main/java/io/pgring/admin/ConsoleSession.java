package io.pgring.admin;

import io.pgring.admin.show.Column;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.TransactionStatus;
import io.pgring.protocol.frontend.BindFlyweight;
import io.pgring.protocol.frontend.ExecuteFlyweight;
import io.pgring.protocol.frontend.ParseFlyweight;
import io.pgring.protocol.frontend.QueryFlyweight;
import io.pgring.protocol.frontend.TargetFlyweight;
import io.pgring.relay.Console;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of the console, in both query protocols. On the relay thread of its lane, for as long
 * as its client is connected.
 *
 * @see <a href="https://www.postgresql.org/docs/current/protocol-flow.html">Message Flow</a>
 */
final class ConsoleSession implements Console.Session {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleSession.class);

  /** Prepared statements and portals, each, that one session may have. */
  private static final int MAX_NAMES = 1000;

  private final Commands commands;
  private final Map<String, List<Command>> statements = new HashMap<>();
  private final Map<String, Portal> portals = new HashMap<>();
  private final AnswerWriter answer = new AnswerWriter();
  private byte status = TransactionStatus.IDLE;
  private boolean skipsToSync;

  /** A bound statement, and what is left of its rows once it was run. */
  private static final class Portal {
    final Command command;
    final Formats formats;
    Result result;
    int rowsSent;

    Portal(Command command, Formats formats) {
      this.command = command;
      this.formats = formats;
    }
  }

  ConsoleSession(Commands commands) {
    this.commands = commands;
  }

  @Override
  public boolean onMessage(
      byte type, DirectBuffer buffer, int offset, int length, Console.Reply reply) {
    if (skipsToSync && type != FrontendMessage.SYNC) {
      return true;
    }
    boolean complete = true;
    try {
      complete = handle(type, buffer, offset, length, reply);
    } catch (ConsoleError error) {
      fail(type, error);
    }
    answer.sendTo(reply);
    return complete;
  }

  @Override
  public void cancel() {
    commands.cancel();
  }

  private boolean handle(
      byte type, DirectBuffer buffer, int offset, int length, Console.Reply reply) {
    switch (type) {
      case FrontendMessage.QUERY:
        return query(buffer, new QueryFlyweight().wrap(buffer, offset, length), reply);
      case FrontendMessage.PARSE:
        parse(buffer, new ParseFlyweight().wrap(buffer, offset, length));
        return true;
      case FrontendMessage.BIND:
        bind(buffer, new BindFlyweight().wrap(buffer, offset, length));
        return true;
      case FrontendMessage.DESCRIBE:
        describe(buffer, new TargetFlyweight().wrap(buffer, offset, length));
        return true;
      case FrontendMessage.EXECUTE:
        return execute(buffer, new ExecuteFlyweight().wrap(buffer, offset, length), reply);
      case FrontendMessage.CLOSE:
        close(buffer, new TargetFlyweight().wrap(buffer, offset, length));
        return true;
      case FrontendMessage.SYNC:
        skipsToSync = false;
        // Portals live as long as their transaction.
        if (status == TransactionStatus.IDLE) {
          portals.clear();
        }
        answer.ready(status);
        return true;
      case FrontendMessage.FUNCTION_CALL:
        throw new ConsoleError("0A000", "function calls are not supported by the console", null);
      default:
        // Flush, as answers are sent at once; and COPY messages, which PostgreSQL ignores too.
        return true;
    }
  }

  /** After an error the extended protocol skips to its Sync; the others are ready at once. */
  private void fail(byte type, ConsoleError error) {
    answer.error(error);
    if (type == FrontendMessage.QUERY || type == FrontendMessage.FUNCTION_CALL) {
      answer.ready(status);
    } else {
      skipsToSync = true;
    }
  }

  // --- simple protocol

  private boolean query(DirectBuffer buffer, QueryFlyweight query, Console.Reply reply) {
    require(query.valid());
    List<Command> list = Command.parse(text(buffer, query.sqlOffset(), query.sqlLength()));
    if (list.isEmpty()) {
      answer.emptyQuery();
    }
    return runAll(list.iterator(), reply);
  }

  /** Runs the commands one after the other; false when one of them is answered later. */
  private boolean runAll(Iterator<Command> rest, Console.Reply reply) {
    while (rest.hasNext()) {
      CompletableFuture<Result> future = commands.run(rest.next());
      if (!future.isDone()) {
        future.whenComplete(
            (result, failure) ->
                reply.onRelay(
                    () -> {
                      if (continues(result, failure, rest, reply)) {
                        reply.done();
                      }
                    }));
        return false;
      }
      addWhole(now(future));
    }
    answer.ready(status);
    return true;
  }

  private boolean continues(
      Result result, Throwable failure, Iterator<Command> rest, Console.Reply reply) {
    boolean complete = true;
    try {
      addWhole(resultOf(result, failure));
      complete = runAll(rest, reply);
    } catch (ConsoleError error) {
      fail(FrontendMessage.QUERY, error);
    }
    answer.sendTo(reply);
    return complete;
  }

  private void addWhole(Result result) {
    if (result.table() != null) {
      answer.columns(result.table().columns(), Formats.TEXT);
      for (Object[] row : result.table().rows()) {
        answer.row(result.table().columns(), row, Formats.TEXT);
      }
    }
    complete(result);
  }

  private void complete(Result result) {
    if (result.notice() != null) {
      answer.notice(result.notice());
    }
    answer.commandComplete(result.tag());
    switch (result.tag()) {
      case "BEGIN" -> status = TransactionStatus.IN_TRANSACTION;
      case "COMMIT", "ROLLBACK" -> status = TransactionStatus.IDLE;
      default -> {}
    }
  }

  // --- extended protocol

  private void parse(DirectBuffer buffer, ParseFlyweight parse) {
    require(parse.valid());
    String name = text(buffer, parse.nameOffset(), parse.nameLength());
    List<Command> list = Command.parse(text(buffer, parse.sqlOffset(), parse.sqlLength()));
    if (list.size() > 1) {
      throw new ConsoleError(
          "42601", "cannot insert multiple commands into a prepared statement", null);
    }
    if (!name.isEmpty() && statements.containsKey(name)) {
      throw new ConsoleError("42P05", "prepared statement \"" + name + "\" already exists", null);
    }
    requireRoom(statements);
    statements.put(name, list);
    answer.parseComplete();
  }

  private void bind(DirectBuffer buffer, BindFlyweight bind) {
    require(bind.valid());
    List<Command> list = statement(text(buffer, bind.statementOffset(), bind.statementLength()));
    if (bind.parameterCount() > 0) {
      throw new ConsoleError("08P01", "commands of the console have no parameters", null);
    }
    int[] formats = new int[bind.resultFormatCount()];
    for (int i = 0; i < formats.length; i++) {
      formats[i] = bind.resultFormat(i);
    }
    requireRoom(portals);
    portals.put(
        text(buffer, bind.portalOffset(), bind.portalLength()),
        new Portal(list.isEmpty() ? null : list.get(0), new Formats(formats)));
    answer.bindComplete();
  }

  private void describe(DirectBuffer buffer, TargetFlyweight target) {
    require(target.valid());
    String name = text(buffer, target.nameOffset(), target.nameLength());
    if (target.kind() == TargetFlyweight.STATEMENT) {
      List<Command> list = statement(name);
      List<Column> columns = list.isEmpty() ? null : commands.columns(list.get(0));
      answer.noParameters();
      answer.columns(columns, Formats.TEXT);
    } else {
      Portal portal = portal(name);
      answer.columns(
          portal.command == null ? null : commands.columns(portal.command), portal.formats);
    }
  }

  private boolean execute(DirectBuffer buffer, ExecuteFlyweight execute, Console.Reply reply) {
    require(execute.valid());
    Portal portal = portal(text(buffer, execute.portalOffset(), execute.portalLength()));
    int maxRows = execute.maxRows();
    if (portal.command == null) {
      answer.emptyQuery();
      return true;
    }
    if (portal.result != null) {
      addRows(portal, maxRows);
      return true;
    }
    CompletableFuture<Result> future = commands.run(portal.command);
    if (future.isDone()) {
      portal.result = now(future);
      addRows(portal, maxRows);
      return true;
    }
    future.whenComplete(
        (result, failure) ->
            reply.onRelay(() -> executed(portal, maxRows, result, failure, reply)));
    return false;
  }

  private void executed(
      Portal portal, int maxRows, Result result, Throwable failure, Console.Reply reply) {
    try {
      portal.result = resultOf(result, failure);
      addRows(portal, maxRows);
    } catch (ConsoleError error) {
      fail(FrontendMessage.EXECUTE, error);
    }
    answer.sendTo(reply);
    reply.done();
  }

  private void addRows(Portal portal, int maxRows) {
    Result result = portal.result;
    if (result.table() != null) {
      List<Object[]> rows = result.table().rows();
      int end = maxRows <= 0 ? rows.size() : Math.min(rows.size(), portal.rowsSent + maxRows);
      while (portal.rowsSent < end) {
        answer.row(result.table().columns(), rows.get(portal.rowsSent++), portal.formats);
      }
      if (end < rows.size()) {
        answer.portalSuspended();
        return;
      }
    }
    complete(result);
  }

  private void close(DirectBuffer buffer, TargetFlyweight target) {
    require(target.valid());
    String name = text(buffer, target.nameOffset(), target.nameLength());
    if (target.kind() == TargetFlyweight.STATEMENT) {
      statements.remove(name);
    } else {
      portals.remove(name);
    }
    answer.closeComplete();
  }

  private List<Command> statement(String name) {
    List<Command> list = statements.get(name);
    if (list == null) {
      throw new ConsoleError("26000", "prepared statement \"" + name + "\" does not exist", null);
    }
    return list;
  }

  private Portal portal(String name) {
    Portal portal = portals.get(name);
    if (portal == null) {
      throw new ConsoleError("34000", "portal \"" + name + "\" does not exist", null);
    }
    return portal;
  }

  // --- helpers

  private static void require(boolean valid) {
    if (!valid) {
      throw new ConsoleError("08P01", "invalid message format", null);
    }
  }

  private static void requireRoom(Map<String, ?> names) {
    if (names.size() >= MAX_NAMES) {
      throw new ConsoleError(
          "54000", "the console keeps at most " + MAX_NAMES + " statements and portals", null);
    }
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Result now(CompletableFuture<Result> done) {
    try {
      return done.join();
    } catch (CompletionException e) {
      return resultOf(null, e);
    }
  }

  private static Result resultOf(Result result, Throwable failure) {
    if (failure == null) {
      return result;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof ConsoleError error) {
      throw error;
    }
    LOG.error("a command of the console failed", cause);
    throw new ConsoleError("XX000", "internal error: " + cause, "The log has the details.");
  }
}
