package io.pgring.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.protocol.WireBytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class FrontendFlyweightTest {
  private static final int OFFSET = 5;

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);

  @Test
  void readsQuery() {
    QueryFlyweight query = query("51 0000000d 'select 1' 00");
    assertThat(query.valid()).isTrue();
    assertThat(query.sqlOffset()).isEqualTo(OFFSET + 5);
    assertThat(text(query.sqlOffset(), query.sqlLength())).isEqualTo("select 1");
  }

  @Test
  void readsEmptyQuery() {
    QueryFlyweight query = query("51 00000005 00");
    assertThat(query.valid()).isTrue();
    assertThat(query.sqlLength()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "51 0000000c 'select 1'",
        "51 00000016 'select 1' 00 'select 2' 00",
        "51 0000000e 'select 1' 00 00",
        "51 00000004",
        "51 00000003 'select 1' 00",
        "51 fffffffb 'select 1' 00"
      })
  void refusesQueryThatIsNotExactlyOneString(String golden) {
    assertThat(query(golden).valid()).isFalse();
  }

  @Test
  void refusesLengthsOutsideTheBuffer() {
    put("51 0000000d 'select 1' 00");
    QueryFlyweight query = new QueryFlyweight();
    assertThat(query.wrap(buffer, -1, 14).valid()).isFalse();
    assertThat(query.wrap(buffer, OFFSET, -1).valid()).isFalse();
    assertThat(query.wrap(buffer, OFFSET, Integer.MAX_VALUE).valid()).isFalse();
    assertThat(query.wrap(buffer, buffer.capacity() - 13, 14).valid()).isFalse();
    assertThat(query.wrap(buffer, Integer.MAX_VALUE, 14).valid()).isFalse();
  }

  @Test
  void readsParse() {
    ParseFlyweight parse = parse("50 0000001b 's1' 00 'select $1' 00 0002 00000017 00000000");
    assertThat(parse.valid()).isTrue();
    assertThat(text(parse.nameOffset(), parse.nameLength())).isEqualTo("s1");
    assertThat(text(parse.sqlOffset(), parse.sqlLength())).isEqualTo("select $1");
    assertThat(parse.sqlAndTypesLength()).isEqualTo(20);
    assertThat(parse.typesOffset()).isEqualTo(OFFSET + 5 + 3 + 10);
    assertThat(parse.parameterTypeCount()).isEqualTo(2);
    assertThat(parse.parameterType(0)).isEqualTo(23);
    assertThat(parse.parameterType(1)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "50 00000008 00 00 0001",
        "50 00000008 00 00 ffff",
        "50 00000009 00 00 0000 00",
        "50 00000007 00 00 00",
        "50 00000007 00 'ab'"
      })
  void refusesParse(String golden) {
    assertThat(parse(golden).valid()).isFalse();
  }

  @Test
  void readsBind() {
    BindFlyweight bind =
        bind(
            """
            42 00000023 'p' 00 's1' 00
            0001 0001
            0003 00000002 'ab' ffffffff 00000000
            0002 0000 0001
            """);
    assertThat(bind.valid()).isTrue();
    assertThat(text(bind.portalOffset(), bind.portalLength())).isEqualTo("p");
    assertThat(text(bind.statementOffset(), bind.statementLength())).isEqualTo("s1");
    assertThat(bind.afterNamesOffset()).isEqualTo(OFFSET + 5 + 2 + 3);
    assertThat(bind.parameterCount()).isEqualTo(3);
    assertThat(bind.parameterLength(2)).isZero();
    assertThat(bind.parameterLength(1)).isEqualTo(-1);
    assertThat(text(bind.parameterOffset(0), bind.parameterLength(0))).isEqualTo("ab");
    assertThat(bind.parameterFormat(2)).isEqualTo(1);
    assertThat(bind.resultFormatCount()).isEqualTo(2);
    assertThat(bind.resultFormat(0)).isZero();
    assertThat(bind.resultFormat(1)).isEqualTo(1);
  }

  @Test
  void takesParametersForTextWithoutFormats() {
    BindFlyweight bind = bind("42 00000011 00 00 0000 0001 00000001 '1' 0000");
    assertThat(bind.valid()).isTrue();
    assertThat(bind.parameterFormat(0)).isZero();
  }

  @Test
  void readsOneFormatForEachParameter() {
    BindFlyweight bind = bind("42 00000018 00 00 0002 0000 0001 0002 ffffffff ffffffff 0000");
    assertThat(bind.valid()).isTrue();
    assertThat(bind.parameterFormat(0)).isZero();
    assertThat(bind.parameterFormat(1)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A parameter count of -1 with nothing after it, and one that runs out.
        "42 0000000a 00 00 0000 ffff",
        "42 00000010 00 00 0000 0002 ffffffff 0000",
        // Lengths of -2 and beyond the end.
        "42 00000010 00 00 0000 0001 fffffffe 0000",
        "42 00000010 00 00 0000 0001 7fffffff 0000",
        // Two formats for one parameter.
        "42 00000014 00 00 0002 0000 0000 0001 ffffffff 0000",
        // A byte too many.
        "42 0000000d 00 00 0000 0000 0000 00"
      })
  void refusesBind(String golden) {
    assertThat(bind(golden).valid()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"44 00000008 'Ss1' 00", "43 00000008 'Ps1' 00"})
  void readsDescribeAndClose(String golden) {
    TargetFlyweight target = target(golden);
    assertThat(target.valid()).isTrue();
    assertThat(target.kind()).isEqualTo(WireBytes.of(golden)[5]);
    assertThat(text(target.nameOffset(), target.nameLength())).isEqualTo("s1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "44 00000006 'Z' 00",
        "44 00000004",
        "44 00000005 'S'",
        "44 00000006 'Sa'",
        "44 00000007 'S' 00 00"
      })
  void refusesDescribeAndClose(String golden) {
    assertThat(target(golden).valid()).isFalse();
  }

  @Test
  void readsExecute() {
    ExecuteFlyweight execute = execute("45 0000000a 'p' 00 00000064");
    assertThat(execute.valid()).isTrue();
    assertThat(text(execute.portalOffset(), execute.portalLength())).isEqualTo("p");
    assertThat(execute.maxRows()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "45 00000009 'p' 00 000064",
        "45 0000000b 'p' 00 00000064 00",
        "45 00000008 'p' 00 0064",
        "45 00000005 'p'"
      })
  void refusesExecute(String golden) {
    assertThat(execute(golden).valid()).isFalse();
  }

  @Test
  void readsFunctionCall() {
    FunctionCallFlyweight call = new FunctionCallFlyweight();
    int length = put("46 0000001d 00000585 0002 0001 0000 0002 00000001 07 00000002 'ab' 0001");
    assertThat(call.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(call.functionOid()).isEqualTo(1413);
    assertThat(call.argumentCount()).isEqualTo(2);
    assertThat(call.argumentFormat(0)).isEqualTo(1);
    assertThat(call.argumentFormat(1)).isZero();
    assertThat(text(call.argumentOffset(1), call.argumentLength(1))).isEqualTo("ab");
    assertThat(call.argumentLength(0)).isEqualTo(1);
    assertThat(call.resultFormat()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "46 00000008 00000585",
        "46 0000000c 00000585 0000 0000",
        "46 0000000f 00000585 0000 0000 0000 00",
        "46 00000012 00000585 0002 0000 0000 0000 0000",
        "46 00000012 00000585 0000 0001 fffffffe 0000"
      })
  void refusesFunctionCall(String golden) {
    assertThat(new FunctionCallFlyweight().wrap(buffer, OFFSET, put(golden)).valid()).isFalse();
  }

  @Test
  void readsCopyFail() {
    CopyFailFlyweight fail = new CopyFailFlyweight();
    assertThat(fail.wrap(buffer, OFFSET, put("66 00000009 'full' 00")).valid()).isTrue();
    assertThat(text(fail.reasonOffset(), fail.reasonLength())).isEqualTo("full");
  }

  private QueryFlyweight query(String golden) {
    return new QueryFlyweight().wrap(buffer, OFFSET, put(golden));
  }

  private ParseFlyweight parse(String golden) {
    return new ParseFlyweight().wrap(buffer, OFFSET, put(golden));
  }

  private BindFlyweight bind(String golden) {
    return new BindFlyweight().wrap(buffer, OFFSET, put(golden));
  }

  private TargetFlyweight target(String golden) {
    return new TargetFlyweight().wrap(buffer, OFFSET, put(golden));
  }

  private ExecuteFlyweight execute(String golden) {
    return new ExecuteFlyweight().wrap(buffer, OFFSET, put(golden));
  }

  private int put(String golden) {
    byte[] bytes = WireBytes.of(golden);
    buffer.putBytes(OFFSET, bytes);
    return bytes.length;
  }

  private String text(int offset, int length) {
    return WireBytes.text(buffer, offset, length);
  }
}
