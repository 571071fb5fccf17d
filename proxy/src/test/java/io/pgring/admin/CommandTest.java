package io.pgring.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a text becomes commands. */
@Timeout(10)
class CommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "show pools                       | [SHOW pools]",
        "show pools; show lists;          | [SHOW pools, SHOW lists]",
        ";; ;                             | []",
        "-- only a comment                | []",
        "/* a; b */ pause/**/\"My;Db\" ;  | [PAUSE My;Db]",
        "PAUSE \"a\"\"b\"                 | [PAUSE a\"b]",
        "PAUSE 'it''s'                    | [PAUSE it's]",
        "set a=b, c = 'd'                 | [SET a = b , c = d]",
        "pause db-1.x                     | [PAUSE db-1.x]"
      })
  void splitsTexts(String sql, String commands) {
    assertThat(Command.parse(sql)).hasToString(commands);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHOW 'x", "PAUSE \"x", "SHOW 'x''"})
  void refusesQuotesWithoutEnd(String sql) {
    assertThatThrownBy(() -> Command.parse(sql))
        .isInstanceOf(ConsoleError.class)
        .hasMessageContaining("syntax error");
  }
}
