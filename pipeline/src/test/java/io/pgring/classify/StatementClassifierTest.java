package io.pgring.classify;

import static io.pgring.classify.Classification.CHANGES_LEXING;
import static io.pgring.classify.Classification.DDL;
import static io.pgring.classify.Classification.DEPENDS_ON_LEXING;
import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.MAY_COPY_IN;
import static io.pgring.classify.Classification.MULTI;
import static io.pgring.classify.Classification.NOT_UNDERSTOOD;
import static io.pgring.classify.Classification.PREPARED_RESET;
import static io.pgring.classify.Classification.READS;
import static io.pgring.classify.Classification.REFUSES_TRANSACTION_BLOCK;
import static io.pgring.classify.Classification.SESSION_STATE;
import static io.pgring.classify.Classification.TRANSACTION_CONTROL;
import static io.pgring.classify.Classification.UNTERMINATED;
import static io.pgring.classify.Classification.WRITES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class StatementClassifierTest {
  private static final long STATE = SESSION_STATE;
  private static final long PINNED = SESSION_STATE;
  private static final long EFFECTS = Classification.PINS_SESSION | Classification.UNDOES;
  private static final long TX = TRANSACTION_CONTROL;
  private static final long OUTSIDE = REFUSES_TRANSACTION_BLOCK;
  private static final long DEFINES = DDL | WRITES;

  private final StatementClassifier classifier = new StatementClassifier();

  @ParameterizedTest
  @MethodSource({"queries", "transactions", "session", "definitions"})
  void tellsKindAndFlags(String text, StatementKind kind, long flags) {
    long summary = classify(text);
    assertThat(classifier.kind()).isEqualTo(kind);
    assertThat(classifier.flags() & ~EFFECTS).as("flags").isEqualTo(flags);
    assertThat(classifier.statementCount()).isEqualTo(1);
    assertThat(Classification.kind(summary)).isEqualTo(kind);
    assertThat(Classification.flags(summary)).isEqualTo(classifier.flags());
    assertThat(Classification.statementCount(summary)).isEqualTo(1);
  }

  static Stream<Arguments> queries() {
    return Stream.of(
        arguments("SELECT 1", StatementKind.SELECT, READS),
        arguments(" /* hint */ -- x\n (((select 1) union select 2))", StatementKind.SELECT, READS),
        arguments("select \"update\", t.delete from t", StatementKind.SELECT, READS),
        arguments("select 1 for update", StatementKind.SELECT, READS | LOCKS),
        arguments(
            "select * from (select 1 for no key update) x", StatementKind.SELECT, READS | LOCKS),
        arguments("select * from t for key share skip locked", StatementKind.SELECT, READS | LOCKS),
        arguments("select a into b from c", StatementKind.SELECT, READS | DEFINES),
        arguments("select a into temp b from c", StatementKind.SELECT, READS | DEFINES | PINNED),
        arguments("select nextval('s')", StatementKind.SELECT, READS | WRITES),
        arguments("select pg_advisory_lock(1)", StatementKind.SELECT, READS | LOCKS | PINNED),
        arguments(
            "select set_config('a', 'b', false)",
            StatementKind.SELECT,
            READS | STATE | CHANGES_LEXING),
        arguments("select \"Set_config\"(1)", StatementKind.SELECT, READS | STATE | CHANGES_LEXING),
        arguments(
            "select pg_catalog.set_config(1)",
            StatementKind.SELECT,
            READS | STATE | CHANGES_LEXING),
        arguments(
            "select U&\"set\\005fconfig\"(1)",
            StatementKind.SELECT,
            READS | WRITES | LOCKS | PINNED | CHANGES_LEXING),
        arguments("select temp from weather", StatementKind.SELECT, READS),
        arguments("select 'é'", StatementKind.SELECT, READS | DEPENDS_ON_LEXING),
        arguments("select '\\'", StatementKind.SELECT, READS | DEPENDS_ON_LEXING),
        arguments("select E'\\\\'", StatementKind.SELECT, READS),
        arguments("values (1)", StatementKind.VALUES, READS),
        arguments("table t", StatementKind.TABLE, READS),
        arguments("with a as (select 1) select * from a", StatementKind.WITH, READS),
        arguments("(with a as (select 1) select 1)", StatementKind.WITH, READS),
        arguments(
            "with a as (delete from t returning *) select 1", StatementKind.WITH, READS | WRITES),
        arguments("with a as (select 1) update t set b = 1", StatementKind.WITH, READS | WRITES),
        arguments("insert into t values (1)", StatementKind.INSERT, WRITES),
        arguments("update t set a = 1", StatementKind.UPDATE, READS | WRITES),
        arguments(
            "update pg_settings set setting = 1",
            StatementKind.UPDATE,
            READS | WRITES | STATE | CHANGES_LEXING),
        arguments("delete from t", StatementKind.DELETE, READS | WRITES),
        arguments(
            "merge into t using s on a = b when matched then delete",
            StatementKind.MERGE,
            READS | WRITES),
        arguments("copy t from stdin", StatementKind.COPY_FROM_STDIN, WRITES | MAY_COPY_IN),
        arguments(
            "copy s.from (to) from stdin", StatementKind.COPY_FROM_STDIN, WRITES | MAY_COPY_IN),
        arguments("copy t from stdout", StatementKind.COPY_FROM_STDIN, WRITES | MAY_COPY_IN),
        arguments("copy (select 1 from stdin) to stdout", StatementKind.COPY_TO_STDOUT, READS),
        arguments(
            "copy (delete from t returning 1) to stdout",
            StatementKind.COPY_TO_STDOUT,
            READS | WRITES),
        arguments("copy t from 'stdin'", StatementKind.COPY_OTHER, READS | WRITES),
        arguments("copy t to program 'cat'", StatementKind.COPY_OTHER, READS | WRITES),
        arguments("explain select 1", StatementKind.EXPLAIN, READS),
        arguments(
            "explain (analyze, buffers) delete from t", StatementKind.EXPLAIN, READS | WRITES),
        arguments(
            "explain analyze verbose insert into t values (1)",
            StatementKind.EXPLAIN,
            READS | WRITES),
        arguments("explain (select 1)", StatementKind.EXPLAIN, READS),
        arguments(
            "explain analyze execute p", StatementKind.EXPLAIN, READS | WRITES | CHANGES_LEXING),
        arguments("declare c cursor for select 1", StatementKind.DECLARE, READS),
        arguments(
            "declare c cursor for with hold as (select 1) table hold",
            StatementKind.DECLARE,
            READS),
        arguments("declare c cursor with hold for select 1", StatementKind.DECLARE, READS | PINNED),
        arguments("declare c cursor for select 1 for update", StatementKind.DECLARE, READS | LOCKS),
        arguments("fetch all from c", StatementKind.FETCH, READS),
        arguments("move c", StatementKind.MOVE, READS),
        arguments("close all", StatementKind.CLOSE, 0L),
        arguments("truncate t", StatementKind.TRUNCATE, WRITES | LOCKS),
        arguments("lock t", StatementKind.LOCK, WRITES | LOCKS));
  }

  static Stream<Arguments> transactions() {
    return Stream.of(
        arguments("begin", StatementKind.BEGIN, TX),
        arguments("BEGIN ISOLATION LEVEL SERIALIZABLE;", StatementKind.BEGIN, TX),
        arguments("start transaction read only", StatementKind.START_TRANSACTION, TX),
        arguments("commit and chain", StatementKind.COMMIT, TX),
        arguments("end work", StatementKind.END, TX),
        arguments("rollback", StatementKind.ROLLBACK, TX),
        arguments("rollback transaction", StatementKind.ROLLBACK, TX),
        arguments("abort", StatementKind.ABORT, TX),
        arguments("rollback to a", StatementKind.ROLLBACK_TO, TX),
        arguments("rollback work to savepoint a", StatementKind.ROLLBACK_TO, TX),
        arguments("savepoint prepared", StatementKind.SAVEPOINT, TX),
        arguments("release savepoint a", StatementKind.RELEASE, TX),
        arguments("prepare transaction 'a'", StatementKind.PREPARE_TRANSACTION, TX | WRITES),
        arguments("prepare transaction as select 1", StatementKind.PREPARE, PINNED | READS),
        arguments("commit prepared 'a'", StatementKind.COMMIT_PREPARED, TX | WRITES | OUTSIDE),
        arguments("rollback prepared 'a'", StatementKind.ROLLBACK_PREPARED, TX | WRITES | OUTSIDE));
  }

  static Stream<Arguments> session() {
    return Stream.of(
        arguments("set a = b", StatementKind.SET, STATE),
        arguments("set session a to b", StatementKind.SET, STATE),
        arguments("set session.a = b", StatementKind.SET, STATE),
        arguments("set local.a = b", StatementKind.SET, STATE),
        arguments("set role.a = b", StatementKind.SET, STATE),
        arguments("set local a = b", StatementKind.SET_LOCAL, 0L),
        arguments("set local role a", StatementKind.SET_LOCAL, 0L),
        arguments("set local session authorization a", StatementKind.SET_LOCAL, 0L),
        arguments("set transaction read only", StatementKind.SET_TRANSACTION, 0L),
        arguments("set local transaction read only", StatementKind.SET_TRANSACTION, 0L),
        arguments("set constraints all deferred", StatementKind.SET_CONSTRAINTS, 0L),
        arguments(
            "set session characteristics as transaction read only",
            StatementKind.SET_SESSION_CHARACTERISTICS,
            STATE),
        arguments("set role a", StatementKind.SET_ROLE, STATE),
        arguments("set \"role\" = a", StatementKind.SET_ROLE, STATE),
        arguments("set session role a", StatementKind.SET_ROLE, STATE),
        arguments("set session authorization a", StatementKind.SET_SESSION_AUTHORIZATION, STATE),
        arguments(
            "set session session authorization a", StatementKind.SET_SESSION_AUTHORIZATION, STATE),
        arguments("set session_authorization to a", StatementKind.SET_SESSION_AUTHORIZATION, STATE),
        arguments("set names 'x'", StatementKind.SET, STATE | CHANGES_LEXING),
        arguments("set local client_encoding to sjis", StatementKind.SET_LOCAL, CHANGES_LEXING),
        arguments(
            "set \"Standard_Conforming_Strings\" = off", StatementKind.SET, STATE | CHANGES_LEXING),
        arguments("reset a", StatementKind.RESET, STATE),
        arguments("reset all", StatementKind.RESET, STATE | CHANGES_LEXING),
        arguments("reset client_encoding", StatementKind.RESET, STATE | CHANGES_LEXING),
        arguments("show all", StatementKind.SHOW, READS),
        arguments("discard plans", StatementKind.DISCARD, STATE),
        arguments(
            "discard all",
            StatementKind.DISCARD,
            STATE | CHANGES_LEXING | PREPARED_RESET | OUTSIDE),
        arguments("deallocate a", StatementKind.DEALLOCATE, STATE | PREPARED_RESET),
        arguments("deallocate prepare all", StatementKind.DEALLOCATE, STATE | PREPARED_RESET),
        arguments("prepare a (int) as delete from t", StatementKind.PREPARE, PINNED | WRITES),
        arguments("execute a(1)", StatementKind.EXECUTE, READS | WRITES | CHANGES_LEXING),
        arguments("listen a", StatementKind.LISTEN, PINNED),
        arguments("unlisten *", StatementKind.UNLISTEN, STATE),
        arguments("notify a, 'b'", StatementKind.NOTIFY, WRITES),
        arguments("load 'x'", StatementKind.LOAD, PINNED),
        arguments("do $$ begin; end $$", StatementKind.DO, READS | WRITES | STATE | CHANGES_LEXING),
        arguments("call p(1)", StatementKind.CALL, READS | WRITES | STATE | CHANGES_LEXING));
  }

  static Stream<Arguments> definitions() {
    return Stream.of(
        arguments("vacuum full t", StatementKind.VACUUM, WRITES | OUTSIDE),
        arguments("analyze t", StatementKind.ANALYZE, WRITES),
        arguments("analyse", StatementKind.ANALYZE, WRITES),
        arguments("cluster", StatementKind.CLUSTER, WRITES | OUTSIDE),
        arguments("reindex table t", StatementKind.REINDEX, WRITES | OUTSIDE),
        arguments("checkpoint", StatementKind.CHECKPOINT, WRITES),
        arguments("create table t (a int)", StatementKind.DDL, DEFINES),
        arguments("create local temp table t (a int)", StatementKind.DDL, DEFINES | PINNED),
        arguments(
            "create or replace temporary view v as table t", StatementKind.DDL, DEFINES | PINNED),
        arguments("create table pg_temp.t (a int)", StatementKind.DDL, DEFINES | PINNED),
        arguments("create database d", StatementKind.DDL, DEFINES | OUTSIDE),
        arguments("drop tablespace d", StatementKind.DDL, DEFINES | OUTSIDE),
        arguments("alter system set a = b", StatementKind.DDL, DEFINES | OUTSIDE),
        arguments(
            "create unique index concurrently i on t (a)", StatementKind.DDL, DEFINES | OUTSIDE),
        arguments("comment on table t is 'x'", StatementKind.DDL, DEFINES),
        arguments("grant select on t to u", StatementKind.DDL, DEFINES | READS),
        arguments("security label on table t is 'x'", StatementKind.DDL, DEFINES),
        arguments("refresh materialized view m", StatementKind.DDL, DEFINES),
        arguments(
            "create rule r as on insert to t do also (select 1; select 2)",
            StatementKind.DDL,
            DEFINES | READS),
        arguments(
            "create or replace function f() returns int begin atomic select 1 end; select case when true then 1 end;"
                + " end",
            StatementKind.DDL,
            DEFINES | READS),
        arguments("create procedure p() begin atomic end;", StatementKind.DDL, DEFINES));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select 1; select 2|2",
        ";;select 1;;|1",
        "select E'\\''; delete from t; --'|2",
        "select 'a\\'; delete from t; --'|2",
        "select $a$;$a$; select \";\" /* ; */ -- ;|2",
        "create function f() returns int begin atomic select 1; end; select 2|2",
        "begin; atomic; end|3",
        "begin atomic; select 1; end|3",
        "select 1 /* /* ; */ ; */; select 2|2",
        "create rule r as on insert to t do (select 1; select 2); select 3|2"
      })
  void countsStatements(String text, int statements) {
    long summary = classify(text);
    assertThat(classifier.statementCount()).isEqualTo(statements);
    assertThat(Classification.statementCount(summary)).isEqualTo(statements);
    assertThat(Classification.has(summary, MULTI)).isEqualTo(statements > 1);
    assertThat(classifier.kind() == StatementKind.MULTI).isEqualTo(statements > 1);
  }

  @Test
  void joinsTheFlagsOfAllStatements() {
    classify("select 1; copy t from stdin; begin");
    assertThat(classifier.flags()).isEqualTo(READS | WRITES | MAY_COPY_IN | TX | MULTI);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "` `", "`;`", "`-- x`", "`/* */;; \n`"})
  void knowsEmptyTexts(String text) {
    assertThat(classify(text)).isZero();
    assertThat(classifier.empty()).isTrue();
    assertThat(classifier.kind()).isEqualTo(StatementKind.EMPTY);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "selct 1",
        "(update t set a = 1)",
        "select (1; select 2)",
        "select 1)",
        "select (1",
        "\"select\" 1",
        "copy t",
        "1",
        "select $",
        "create function f() begin atomic select 1;"
      })
  void assumesEverythingOfWhatItDoesNotUnderstand(String text) {
    classify(text);
    assertThat(classifier.flags() & Classification.ANYTHING).isEqualTo(Classification.ANYTHING);
  }

  @Test
  void tellsThatATextDoesNotEnd() {
    classify("select 'a");
    assertThat(classifier.unterminated()).isTrue();
    assertThat(classifier.flags() & (UNTERMINATED | NOT_UNDERSTOOD | MAY_COPY_IN))
        .isEqualTo(UNTERMINATED | NOT_UNDERSTOOD | MAY_COPY_IN);
    classify("select 1");
    assertThat(classifier.unterminated()).isFalse();
  }

  @Test
  void doesNotInspectUnknownEncodings() {
    UnsafeBuffer buffer = new UnsafeBuffer("select 1".getBytes(StandardCharsets.UTF_8));
    assertThat(classifier.classify(buffer, 0, 8, true, ClientEncoding.UNKNOWN))
        .isEqualTo(Classification.NOT_INSPECTED);
    assertThat(Classification.kind(Classification.NOT_INSPECTED)).isEqualTo(StatementKind.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "UTF8,ASCII_SAFE", "UNICODE,ASCII_SAFE", "LATIN1,ASCII_SAFE", "WIN1252,ASCII_SAFE",
        "KOI8R,ASCII_SAFE",
    "ISO_8859_5,ASCII_SAFE", "EUC_JIS_2004,ASCII_SAFE", "SQL_ASCII,ASCII_SAFE", "SJIS,SJIS",
        "GB18030,GB18030",
    "SHIFT_JIS_2004,SHIFT_JIS_2004", "EBCDIC,UNKNOWN"
  })
  void findsEncodingsByName(String name, ClientEncoding encoding) {
    assertThat(ClientEncoding.of(name)).isEqualTo(encoding);
  }

  @Test
  void findsKindsByCode() {
    for (StatementKind kind : StatementKind.values()) {
      assertThat(StatementKind.of(kind.code())).isEqualTo(kind);
    }
    assertThat(StatementKind.of((byte) -1)).isEqualTo(StatementKind.UNKNOWN);
  }

  private long classify(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return classifier.classify(
        new UnsafeBuffer(bytes), 0, bytes.length, true, ClientEncoding.ASCII_SAFE);
  }
}
