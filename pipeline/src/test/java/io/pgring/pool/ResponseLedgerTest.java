package io.pgring.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Conversations as a client and a server have them. {@code >P >B >E >S >Q} are messages that are
 * sent: Parse, Bind, Execute, Sync, Query; {@code >p >d >c >F} are Describe portal, Describe
 * statement, Close and FunctionCall; {@code >L >l} are a Parse and a Close that pgring answers
 * itself, and {@code .} is when it does. {@code !} behind means that the answer is swallowed,
 * {@code ~} that it is replaced. {@code <T=f} is a message from the server with its type byte and
 * what becomes of it: forwarded, swallowed, replaced, or unexpected; behind it stand the entries
 * that are skipped.
 */
@Timeout(10)
class ResponseLedgerTest {
  private static final String SENT = "PBEScQFpdLl";
  private static final byte[] KINDS = {
    ResponseLedger.PARSE,
    ResponseLedger.BIND,
    ResponseLedger.EXECUTE,
    ResponseLedger.SYNC,
    ResponseLedger.CLOSE,
    ResponseLedger.QUERY,
    ResponseLedger.FUNCTION_CALL,
    ResponseLedger.DESCRIBE_PORTAL,
    ResponseLedger.DESCRIBE_STATEMENT,
    ResponseLedger.LOCAL_PARSE,
    ResponseLedger.LOCAL_CLOSE
  };

  private final StringBuilder skipped = new StringBuilder();
  private final ResponseLedger ledger =
      new ResponseLedger((kind, statement, name) -> skipped.append(letter(kind)));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a query                     | >Q <T=f <D=f <D=f <C=f <Z=f
          several statements          | >Q <T=f <D=f <C=f <C=f <T=f <C=f <Z=f
          an empty query              | >Q <I=f <Z=f
          a query that fails          | >Q <T=f <D=f <E=f <Z=f
          a query of our own          | >Q! <T=s <D=s <C=s <Z=s
          pipelined queries           | >Q >Q <C=f <Z=f <E=f <Z=f
          an extended unit            | >P >B >p >E >S <1=f <2=f <T=f <D=f <C=f <Z=f
          a statement described       | >P >d >S <1=f <t=f <T=f <Z=f
          one without parameters      | >P >d >S <1=f <t=f <n=f <Z=f
          a portal without rows       | >B >p >E >S <2=f <n=f <C=f <Z=f
          a portal in pieces          | >B >E >E >S <2=f <D=f <s=f <D=f <C=f <Z=f
          an empty portal             | >B >E >S <2=f <I=f <Z=f
          a close                     | >c >S <3=f <Z=f
          a Sync alone                | >S <Z=f
          a Parse of our own          | >P! >B >E >S <1=s <2=f <C=f <Z=f
          a Close and Parse of ours   | >c! >P! >B >E >S <3=s <1=s <2=f <C=f <Z=f
          a function call             | >F <V=f <Z=f
          a function call that fails  | >F <E=f <Z=f
          COPY to the client          | >Q <H=f <d=f <d=f <c=f <C=f <Z=f
          COPY to the server          | >Q <G=f <C=f <Z=f
          COPY by a portal            | >B >E >S <2=f <G=f <C=f <Z=f
          COPY in both directions     | >Q <W=f <d=f <c=f <C=f <Z=f
          """)
  void matchesEachAnswerWithWhatWasSent(String name, String script) {
    play(script);

    assertThat(ledger.isEmpty()).isTrue();
    assertThat(ledger.size()).isZero();
    assertThat(ledger.headKind()).isEqualTo(ResponseLedger.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          at the first message        | >P >B >E >S <E=fPBE <Z=f
          at the last message         | >P >B >E >S <1=f <2=f <E=fE <Z=f
          behind rows                 | >B >E >S <2=f <D=f <E=fE <Z=f
          the next unit is untouched  | >P >B >E >S >P >B >E >S <E=fPBE <Z=f <1=f <2=f <C=f <Z=f
          at Sync                     | >B >E >S <2=f <C=f <E=f <Z=f
          at a Sync of our own        | >B >E >S! <2=f <C=f <E=f <Z=s
          of a Parse of our own       | >P! >B >E >S <E=fPBE <Z=f
          replaced by ours            | >B~ >E >S <E=rE <Z=f
          replaced behind an answer   | >P >B~ >E >S <1=f <E=rE <Z=f
          skips local answers         | >P >L >l >E >S <E=fPLlE <Z=f
          during COPY                 | >B >E >S <2=f <G=f <E=fE <Z=f
          """)
  void oneErrorAnswersTheRestOfItsUnit(String name, String script) {
    play(script);

    assertThat(ledger.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          what is sent meanwhile is skipped | >P >B <E=fPB >B=B >E=E >S <Z=f
          local answers too                 | >P <E=fP >L=L >l=l >S <Z=f
          and replacements                  | >P <E=fP >B~=B >S <Z=f
          and the unit behind it counts     | >P <E=fP >S >P >B <Z=f <1=f <2=f
          an error once more                | >P <E=fP <E=f >S <Z=f
          """)
  void anErrorCanComeBeforeTheSyncIsSent(String name, String script) {
    play(script);

    assertThat(ledger.isEmpty()).isTrue();
  }

  @Test
  void isNotEmptyWhileTheSyncOfAFailedUnitIsMissing() {
    play(">P <E=fP");

    assertThat(ledger.size()).isZero();
    assertThat(ledger.isSkipping()).isTrue();
    assertThat(ledger.isEmpty()).isFalse();

    play(">S");
    assertThat(ledger.isSkipping()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          alone                  | >L . >S <Z=f
          behind a message       | >B >L <2=f . >E >S <C=f <Z=f
          several                | >B >E >L >l <2=f <C=f . . >S <Z=f
          before a message       | >l . >P >S <1=f <Z=f
          """)
  void localAnswersKeepTheirPlace(String name, String script) {
    play(script);

    assertThat(ledger.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing was sent           | <Z=u
          nothing was sent at all    | <C=u
          an error out of the blue   | <E=u
          a row before its portal    | >B >E <D=u
          a ReadyForQuery too many   | >Q <C=f <Z=f <Z=u
          a ReadyForQuery too early  | >P >S <Z=u
          ParseComplete for a Bind   | >B <1=u
          BindComplete for a Parse   | >P <2=u
          CloseComplete for a Sync   | >S <3=u
          rows of a function call    | >F <D=u
          parameters of a portal     | >p <t=u
          a suspended query          | >Q <s=u
          authentication             | >Q <R=u
          an unknown type            | >Q <?=u
          a local entry's answer     | >L <1=u
          """)
  void refusesWhatNobodyAskedFor(String name, String script) {
    play(script);
  }

  @Test
  void tellsWhichStatementWasConfirmed() {
    ledger.push(ResponseLedger.PARSE, ResponseLedger.SWALLOW, 41, 0);
    ledger.push(ResponseLedger.PARSE, ResponseLedger.FORWARD, 42, 7);

    ledger.onMessage((byte) '1');
    assertThat(ledger.answeredStatement()).isEqualTo(41);
    ledger.onMessage((byte) '1');
    assertThat(ledger.answeredStatement()).isEqualTo(42);
    ledger.onMessage((byte) '1');
    assertThat(ledger.answeredStatement()).isZero();
  }

  @Test
  void tellsStatementAndNameOfWhatIsSkipped() {
    List<String> told = new ArrayList<>();
    ResponseLedger telling =
        new ResponseLedger(
            (kind, statement, name) -> told.add("" + letter(kind) + statement + "/" + name));
    telling.push(ResponseLedger.BIND, ResponseLedger.FORWARD);
    telling.push(ResponseLedger.PARSE, ResponseLedger.SWALLOW, 5, 0);
    telling.push(ResponseLedger.LOCAL_PARSE, ResponseLedger.FORWARD, 0, 9);
    telling.onMessage((byte) 'E');
    telling.push(ResponseLedger.PARSE, ResponseLedger.FORWARD, 6, 10);

    assertThat(told).containsExactly("B0/0", "P5/0", "L0/9", "P6/10");
  }

  @Test
  void countsTheReadyForQueryMessagesThatAreOwed() {
    play(">P >B >E >S >Q >F >P >B");
    assertThat(ledger.countUnitEnds()).isEqualTo(3);

    play("<1=f <2=f <C=f <Z=f");
    assertThat(ledger.countUnitEnds()).isEqualTo(2);
  }

  @Test
  void tellsAllWhenTheConnectionIsGone() {
    play(">P >B >L >S >Q");

    ledger.clear();

    assertThat(skipped).hasToString("PBLSQ");
    assertThat(ledger.isEmpty()).isTrue();
  }

  @Test
  void isOfUseAgainAfterClearingAFailedUnit() {
    play(">P <E=fP");

    ledger.clear();

    assertThat(ledger.isSkipping()).isFalse();
    play(">Q <C=f <Z=f");
  }

  /** The ring grows while its head stands anywhere, and keeps its order. */
  @Test
  void growsAcrossItsWrap() {
    for (int head = 0; head < 16; head++) {
      skipped.setLength(0);
      ResponseLedger grown =
          new ResponseLedger((kind, statement, name) -> skipped.append(statement).append(' '));
      for (int i = 0; i < head; i++) {
        grown.push(ResponseLedger.SYNC, ResponseLedger.FORWARD);
        grown.onMessage((byte) 'Z');
      }
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 100; i++) {
        grown.push(ResponseLedger.BIND, ResponseLedger.FORWARD, i, -i);
        expected.append(i).append(' ');
      }
      assertThat(grown.size()).isEqualTo(100);

      grown.clear();

      assertThat(skipped).as("head at %s", head).hasToString(expected.toString());
    }
  }

  private void play(String script) {
    for (String step : script.split(" ")) {
      char what = step.charAt(0);
      if (what == '.') {
        assertThat(ledger.headKind()).as(step).isGreaterThanOrEqualTo(ResponseLedger.LOCAL_PARSE);
        ledger.popLocal();
      } else if (what == '>') {
        send(step);
      } else {
        receive(step);
      }
    }
  }

  private void send(String step) {
    skipped.setLength(0);
    boolean swallow = step.length() > 2 && step.charAt(2) == '!';
    boolean replace = step.length() > 2 && step.charAt(2) == '~';
    byte disposition =
        swallow
            ? ResponseLedger.SWALLOW
            : replace ? ResponseLedger.REPLACE : ResponseLedger.FORWARD;
    ledger.push(KINDS[SENT.indexOf(step.charAt(1))], disposition);
    String expected = step.contains("=") ? step.substring(step.indexOf('=') + 1) : "";
    assertThat(skipped).as(step).hasToString(expected);
  }

  private void receive(String step) {
    skipped.setLength(0);
    char result = "fsru".charAt(ledger.onMessage((byte) step.charAt(1)));
    assertThat(result + skipped.toString()).as(step).isEqualTo(step.substring(3));
  }

  private static char letter(byte kind) {
    for (int i = 0; i < KINDS.length; i++) {
      if (KINDS[i] == kind) {
        return SENT.charAt(i);
      }
    }
    throw new AssertionError("unknown kind " + kind);
  }
}
