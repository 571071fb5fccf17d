package io.pgring.cases.conversation;

import static io.pgring.testkit.wire.FrontendMessages.bind;
import static io.pgring.testkit.wire.FrontendMessages.closePortal;
import static io.pgring.testkit.wire.FrontendMessages.closeStatement;
import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.copyData;
import static io.pgring.testkit.wire.FrontendMessages.copyDone;
import static io.pgring.testkit.wire.FrontendMessages.copyFail;
import static io.pgring.testkit.wire.FrontendMessages.describePortal;
import static io.pgring.testkit.wire.FrontendMessages.describeStatement;
import static io.pgring.testkit.wire.FrontendMessages.execute;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.flush;
import static io.pgring.testkit.wire.FrontendMessages.functionCall;
import static io.pgring.testkit.wire.FrontendMessages.parse;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;

import io.pgring.testkit.wire.WireClient;
import java.util.List;
import java.util.StringJoiner;

/**
 * Requests that between them use every kind of message of both protocols, and leave neither data
 * nor session state behind, so that the same client can run them again.
 */
final class Conversation {
  private static final int OID_OF_INT4_ABS = 1397;

  /**
   * A request, and the messages that end its answer.
   *
   * @param request bytes sent at once
   * @param stopType type of the last message of the answer
   * @param stops how many of them to wait for
   */
  private record Step(byte[] request, String stopType, int stops) {}

  private static final List<Step> STEPS =
      List.of(
          step(query("SELECT 1, NULL::text, 'two'")),
          step(
              parse("", "SELECT $1::int + 1, $2", 0, 25),
              bind("", "", 41, null),
              describePortal(""),
              execute(),
              sync()),
          step(parse("named", "SELECT $1::text"), describeStatement("named"), sync()),
          step(bind("", "named", "x"), execute(), bind("", "named", "y"), execute(), sync()),
          step(closeStatement("named"), closeStatement("absent"), sync()),
          step(query("SELEC")),
          new Step(concat(extended("SELECT 1/0"), extended("SELECT 2"), sync(), query("")), "Z", 2),
          step(query("DO $$BEGIN RAISE NOTICE 'heard'; END$$")),
          step(query("BEGIN")),
          new Step(concat(extended("SELECT generate_series(1, 3)"), flush()), "C", 1),
          step(sync()),
          new Step(
              concat(
                  parse("", "SELECT generate_series(1, 3)"),
                  bind("p", ""),
                  execute("p", 2),
                  flush()),
              "s",
              1),
          step(execute("p", 2), closePortal("p"), sync()),
          step(functionCall(OID_OF_INT4_ABS, -7)),
          step(query("COPY (SELECT generate_series(1, 3)) TO STDOUT")),
          new Step(query("COPY cut FROM STDIN"), "G", 1),
          step(copyData("1\tone\n2\t"), copyData("two\n"), copyDone()),
          step(extended("COPY cut FROM STDIN"), sync(), copyFail("enough"), sync()),
          step(query("SELECT 'in a failed transaction'")),
          step(query("ROLLBACK")));

  private Conversation() {}

  /** The length in bytes of the longest request. */
  static int longestRequest() {
    return STEPS.stream().mapToInt(step -> step.request.length).max().orElseThrow();
  }

  /** Sends request after request and returns the trace of all answers. */
  static String run(WireClient client) {
    StringJoiner trace = new StringJoiner("\n");
    for (Step step : STEPS) {
      client.send(step.request);
      trace.add(client.trace(step.stopType, step.stops));
    }
    return trace.toString();
  }

  private static Step step(byte[]... messages) {
    return new Step(concat(messages), "Z", 1);
  }
}
