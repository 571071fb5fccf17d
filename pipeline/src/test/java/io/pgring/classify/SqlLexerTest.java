package io.pgring.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SqlLexerTest {
  private final SqlLexer lexer = new SqlLexer();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT 1|SELECT~1",
        "a--x|a",
        "a -- x\\nb|a~b",
        "a--x\\rb|a~b",
        "a/*x*/b|a~b",
        "a/* /* */ */b|a~b",
        "a/*/**/*/b|a~b",
        "a/***/b|a~b",
        "+-- x|+",
        "+-/*c*/1|+~-~1",
        "=-1|=~-~1",
        "@-1|@-~1",
        "+*-+-|+*~-~+~-",
        "*/*c*/b|*~b",
        "a<>b|a~<>~b",
        "a::b|a~::~b",
        "a:=b|a~:=~b",
        "a=>b|a~=>~b",
        "a[1:2]|a~[~1~:~2~]",
        "1..10|1~..~10",
        "1.5e-3 .5 5. 1e5 1e 0x1F 1_000|1.5e-3~.5~5.~1e5~1~e~0x1F~1_000",
        "$1$2|$1~$2",
        "a$b$|a$b$",
        "'a''b'|'a''b'",
        "'a' 'b'|'a'~'b'",
        "'a'\\n'b'|'a'\\n'b'",
        "'a' -- c\\n 'b'|'a' -- c\\n 'b'",
        "'a' /* c */\\n 'b'|'a'~'b'",
        "'a\\' b|'a\\'~b",
        "E'\\'' b|E'\\''~b",
        "E'a'\\n'\\'' b|E'a'\\n'\\''~b",
        "e'\\\\' b|e'\\\\'~b",
        "ae'\\'|ae~'\\'",
        "N'a'|N~'a'",
        "b'01' X'1f'|b'01'~X'1f'",
        "b'0''1'|b'0'~'1'",
        "U&'\\0041' b|U&'\\0041'~b",
        "U&\"a;\"\"b\"|U&\"a;\"\"b\"",
        "u&b|u~&~b",
        "\"a\"\"b\" c|\"a\"\"b\"~c",
        "$$a$b$c$$|$$a$b$c$$",
        "$a$ $b$ $a$ c|$a$ $b$ $a$~c",
        "$a$ $b$a$ c|$a$ $b$a$~c",
        "$a$ $A$ $a$ c|$a$ $A$ $a$~c",
        "$a$;'\"/*--$a$|$a$;'\"/*--$a$",
        "0e'\\''|0~e'\\''"
      })
  void splitsLikePostgres(String text, String tokens) {
    assertThat(tokens(bytes(unescape(text)), true, ClientEncoding.ASCII_SAFE))
        .containsExactly(unescape(tokens).split("~"));
  }

  @Test
  void backslashEscapesInPlainStringsWhereTheSettingSaysSo() {
    byte[] text = bytes("'a\\' ; 'b'");
    assertThat(tokens(text, true, ClientEncoding.ASCII_SAFE)).containsExactly("'a\\'", ";", "'b'");
    assertThat(tokens(text, false, ClientEncoding.ASCII_SAFE)).containsExactly("'a\\' ; '", "b'");
    assertThat(lexer.unterminated()).isTrue();
    assertThat(lexer.dependsOnSettings()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "SJIS,835c,1",
    "SJIS,b1,1",
    "BIG5,a55c,1",
    "GBK,815c,1",
    "UHC,815c,1",
    "GB18030,815c,1",
    "GB18030,81308130,1",
    "JOHAB,885c,1",
    "JOHAB,8fa1a1,1",
    "SHIFT_JIS_2004,835c,1"
  })
  void stepsOverMultiByteCharacters(ClientEncoding encoding, String hex, int stringTokens) {
    byte[] character = new java.math.BigInteger(hex, 16).toByteArray();
    int skip = character[0] == 0 ? 1 : 0;
    byte[] text = new byte[character.length - skip + 5];
    System.arraycopy(bytes("E'"), 0, text, 0, 2);
    System.arraycopy(character, skip, text, 2, character.length - skip);
    System.arraycopy(bytes("' b"), 0, text, text.length - 3, 3);
    assertThat(tokens(text, true, encoding)).hasSize(stringTokens + 1);
    assertThat(lexer.unterminated()).isFalse();
    assertThat(lexer.suspect()).isFalse();
  }

  @Test
  void aTrailByteIsNoEscapeOnlyWhereTheEncodingSaysSo() {
    byte[] text = {'E', '\'', (byte) 0x83, '\\', '\'', ';'};
    assertThat(tokens(text, true, ClientEncoding.SJIS)).hasSize(2);
    assertThat(tokens(text, true, ClientEncoding.ASCII_SAFE)).hasSize(1);
    assertThat(lexer.unterminated()).isTrue();
  }

  @Test
  void aTruncatedOrImpossibleCharacterIsSuspect() {
    tokens(new byte[] {'a', (byte) 0x83}, true, ClientEncoding.SJIS);
    assertThat(lexer.suspect()).isTrue();
    tokens(new byte[] {'\'', (byte) 0x83, '\'', ' '}, true, ClientEncoding.GBK);
    assertThat(lexer.suspect()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "'a",
        "E'a\\'",
        "\"a",
        "U&'a",
        "U&\"a",
        "/* /* */",
        "$$ $",
        "$a$ $b$",
        "b'1",
        "'a'\\n'b",
        "E'\\"
      })
  void reportsWhatDoesNotEnd(String text) {
    tokens(bytes(unescape(text)), true, ClientEncoding.ASCII_SAFE);
    assertThat(lexer.unterminated()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"$", "$a", "{", "\\", "1a", "$1a", "0xg", "123_"})
  void suspectsWhatPostgresRefusesOrReadsDifferently(String text) {
    tokens(bytes(text), true, ClientEncoding.ASCII_SAFE);
    assertThat(lexer.suspect()).isTrue();
    assertThat(lexer.unterminated()).isFalse();
  }

  @Test
  void endsAgainAndAgain() {
    tokens(bytes("a"), true, ClientEncoding.ASCII_SAFE);
    assertThat(lexer.next()).isEqualTo(Token.END);
    assertThat(lexer.next()).isEqualTo(Token.END);
    assertThat(lexer.tokenLength()).isZero();
  }

  private List<String> tokens(
      byte[] text, boolean standardConformingStrings, ClientEncoding encoding) {
    int offset = 3;
    UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(text.length + offset));
    buffer.putBytes(offset, text);
    lexer.wrap(buffer, offset, text.length, standardConformingStrings, encoding);
    List<String> tokens = new ArrayList<>();
    while (lexer.next() != Token.END) {
      byte[] token = new byte[lexer.tokenLength()];
      buffer.getBytes(lexer.tokenOffset(), token);
      tokens.add(new String(token, StandardCharsets.ISO_8859_1));
    }
    return tokens;
  }

  /** The tables write a newline as \n and a carriage return as \r. */
  private static String unescape(String text) {
    return text.replace("\\n", "\n").replace("\\r", "\r");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
