package io.pgring.classify;

import static io.pgring.classify.Classification.CLOSES_ALL;
import static io.pgring.classify.Classification.DEALLOCATES_ALL;
import static io.pgring.classify.Classification.DROPS_TEMPORARY;
import static io.pgring.classify.Classification.HOLDS_CURSOR;
import static io.pgring.classify.Classification.LEAVES_UNKNOWN;
import static io.pgring.classify.Classification.LISTENS;
import static io.pgring.classify.Classification.LOADS;
import static io.pgring.classify.Classification.MAKES_TEMPORARY;
import static io.pgring.classify.Classification.PREPARES;
import static io.pgring.classify.Classification.READS_SEQUENCE_STATE;
import static io.pgring.classify.Classification.RESETS_ALL;
import static io.pgring.classify.Classification.SETS_FOR_SESSION;
import static io.pgring.classify.Classification.SETS_ROLE;
import static io.pgring.classify.Classification.SETS_SEARCH_PATH;
import static io.pgring.classify.Classification.TAKES_SESSION_LOCK;
import static io.pgring.classify.Classification.UNLISTENS_ALL;
import static io.pgring.classify.Classification.UNLOCKS_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.pgring.session.PinCause;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What texts leave in a session, and what they undo. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SessionEffectsTest {
  private static final long EFFECTS =
      Classification.PINS_SESSION | Classification.UNDOES | READS_SEQUENCE_STATE | SETS_SEARCH_PATH;

  @ParameterizedTest
  @MethodSource({"pinning", "settings", "sequences", "undoing"})
  void tellsEffects(String text, long effects) {
    long summary = classify(text);
    assertThat(Classification.flags(summary) & EFFECTS).isEqualTo(effects);
    assertThat((long) Classification.effects(summary)).isEqualTo(effects / LISTENS & 0xFFFF);
  }

  static Stream<Arguments> pinning() {
    return Stream.of(
        arguments("listen a", LISTENS),
        arguments("notify a", 0L),
        arguments("begin; declare c cursor with hold for select 1; commit", HOLDS_CURSOR),
        arguments("declare c cursor for select 1", 0L),
        arguments("create temp table t (a int)", MAKES_TEMPORARY),
        arguments("select 1 into temporary t", MAKES_TEMPORARY),
        arguments("create function pg_temp.f() returns int return 1", MAKES_TEMPORARY),
        arguments("load 'x'", LOADS),
        arguments("prepare p as select 1", PREPARES),
        arguments("prepare transaction 'x'", 0L),
        arguments("execute p", 0L),
        arguments("select pg_advisory_lock(1)", TAKES_SESSION_LOCK),
        arguments("select pg_catalog.\"pg_try_advisory_lock\"(1)", TAKES_SESSION_LOCK),
        arguments("select pg_advisory_xact_lock(1)", 0L),
        arguments("select pg_advisory_unlock(1)", 0L),
        // Each EXECUTE takes the lock again, and does not show it.
        arguments(
            "prepare p as select pg_advisory_lock(1)",
            PREPARES | TAKES_SESSION_LOCK | LEAVES_UNKNOWN),
        arguments("no statement begins like this", LEAVES_UNKNOWN),
        arguments("select U&\"x\"(1)", MAKES_TEMPORARY | TAKES_SESSION_LOCK | SETS_FOR_SESSION));
  }

  static Stream<Arguments> settings() {
    return Stream.of(
        arguments("set work_mem = '1MB'", SETS_FOR_SESSION),
        arguments("set session search_path to a", SETS_SEARCH_PATH),
        arguments("reset all; set search_path = a", SETS_SEARCH_PATH),
        arguments("set local search_path to a", 0L),
        arguments("set local work_mem = '1MB'", 0L),
        arguments("set a.b = 1", SETS_FOR_SESSION),
        arguments("set session.b = 1", SETS_FOR_SESSION),
        arguments("set session characteristics as transaction read only", SETS_FOR_SESSION),
        arguments("set transaction read only", 0L),
        arguments("set time zone 'UTC'", 0L),
        arguments("set \"TimeZone\" = 'UTC'", 0L),
        arguments("set names 'utf8'", 0L),
        arguments("set application_name = 'x'", 0L),
        arguments("set role a", SETS_ROLE),
        arguments("set session authorization a", SETS_ROLE),
        arguments("select set_config('a', 'b', false)", SETS_FOR_SESSION),
        arguments("select set_config('a', 'b', true)", 0L),
        arguments("select pg_catalog.set_config('a', f(1, 2), TRUE), 1", 0L),
        arguments(
            "select set_config('a', 'b', true), set_config('c', 'd', false)", SETS_FOR_SESSION),
        arguments("select set_config('a', 'b', true <> true)", SETS_FOR_SESSION),
        arguments("select set_config('a', 'b', not true)", SETS_FOR_SESSION),
        arguments("select set_config('a', 'b', $1)", SETS_FOR_SESSION),
        arguments("select set_config('a', set_config('b', 'c', true), true)", SETS_FOR_SESSION),
        arguments("update pg_settings set setting = 1", SETS_FOR_SESSION),
        arguments("select setting from pg_settings", 0L));
  }

  static Stream<Arguments> sequences() {
    return Stream.of(
        arguments("select currval('s')", READS_SEQUENCE_STATE),
        arguments("insert into t values (lastval())", READS_SEQUENCE_STATE),
        arguments("select nextval('s'), currval('s')", 0L),
        arguments("insert into t default values; select lastval()", 0L),
        arguments("select nextval('s')", 0L));
  }

  static Stream<Arguments> undoing() {
    return Stream.of(
        arguments("unlisten *", UNLISTENS_ALL),
        arguments("unlisten a", 0L),
        arguments("close all", CLOSES_ALL),
        arguments("close a", 0L),
        arguments("deallocate all", DEALLOCATES_ALL),
        arguments("deallocate prepare all", DEALLOCATES_ALL),
        arguments("deallocate \"all\"", 0L),
        arguments("reset all", RESETS_ALL),
        arguments("reset work_mem", 0L),
        arguments("discard temp", DROPS_TEMPORARY),
        arguments("discard plans", 0L),
        arguments("select pg_advisory_unlock_all()", UNLOCKS_ALL),
        arguments("select pg_catalog.pg_advisory_unlock_all();", UNLOCKS_ALL),
        arguments("select mine.pg_advisory_unlock_all()", 0L),
        arguments("select pg_advisory_unlock_all() where false", 0L),
        arguments("select 1, pg_advisory_unlock_all()", 0L),
        arguments(
            "select pg_advisory_unlock_all(); close all; unlisten *; reset all",
            UNLOCKS_ALL | CLOSES_ALL | UNLISTENS_ALL | RESETS_ALL),
        arguments("unlisten *; listen a", LISTENS),
        arguments("begin; unlisten *; rollback", 0L));
  }

  @Test
  void causesHaveTheBitsOfTheirEffects() {
    long[] effects = {
      LISTENS,
      TAKES_SESSION_LOCK,
      MAKES_TEMPORARY,
      HOLDS_CURSOR,
      PREPARES,
      SETS_FOR_SESSION,
      SETS_ROLE,
      LOADS,
      LEAVES_UNKNOWN
    };
    assertThat(PinCause.values()).hasSameSizeAs(effects);
    for (PinCause cause : PinCause.values()) {
      assertThat((long) cause.bit()).as(cause.name()).isEqualTo(effects[cause.ordinal()] / LISTENS);
    }
    long[][] undone = {
      {LISTENS, UNLISTENS_ALL},
      {TAKES_SESSION_LOCK, UNLOCKS_ALL},
      {MAKES_TEMPORARY, DROPS_TEMPORARY},
      {HOLDS_CURSOR, CLOSES_ALL},
      {PREPARES, DEALLOCATES_ALL},
      {SETS_FOR_SESSION, RESETS_ALL}
    };
    for (long[] pair : undone) {
      assertThat(pair[1]).isEqualTo(pair[0] << Classification.EFFECTS_UNDO_SHIFT);
    }
  }

  private static long classify(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new StatementClassifier()
        .classify(new UnsafeBuffer(bytes), 0, bytes.length, true, ClientEncoding.ASCII_SAFE);
  }
}
