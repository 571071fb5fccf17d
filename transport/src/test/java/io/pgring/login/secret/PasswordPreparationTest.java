package io.pgring.login.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class PasswordPreparationTest {
  static Arguments[] passwords() {
    return new Arguments[] {
      Arguments.of("plain ASCII stays", "a B~", "a B~"),
      Arguments.of("ASCII controls stay", "a\u0007\u007F", "a\u0007\u007F"),
      Arguments.of("no-break space", "a\u00A0b", "a b"),
      Arguments.of("ideographic space", "a\u3000b", "a b"),
      Arguments.of("zero width space is a space", "a\u200Bb", "a b"),
      Arguments.of("zero width joiner is nothing", "a\u200Db\u00E9", "ab\u00E9"),
      Arguments.of("soft hyphen is nothing", "I\u00ADX", "IX"),
      Arguments.of("decomposed accent", "e\u0301", "\u00E9"),
      Arguments.of("compatibility forms", "\u00AA\u2168", "aIX"),
      Arguments.of("nothing left stays raw", "\u00AD", "\u00AD"),
      Arguments.of("control beside non-ASCII stays raw", "\u00A0\u0007", "\u00A0\u0007"),
      Arguments.of("private use stays raw", "\u00A0\uE000", "\u00A0\uE000"),
      Arguments.of("unassigned in Unicode 3.2 stays raw", "\u00A0\u0221", "\u00A0\u0221"),
      Arguments.of("deprecated accent stays raw", "e\u0341", "e\u0341"),
      Arguments.of("mixed direction stays raw", "\u0627\u00A01", "\u0627\u00A01"),
      Arguments.of("right to left", "\u0627\u00A01\u0628", "\u0627 1\u0628"),
      Arguments.of("emoji of Unicode 6 stays raw", "\u00A0\uD83D\uDE00", "\u00A0\uD83D\uDE00"),
      Arguments.of("beyond the BMP", "\uD835\uDC00\u00A0", "A ")
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("passwords")
  void preparesAsPostgresDoes(String what, String password, String prepared) {
    assertThat(PasswordPreparation.prepare(password.getBytes(UTF_8)))
        .asString(UTF_8)
        .isEqualTo(prepared);
  }

  @Test
  void invalidUtf8StaysRaw() {
    byte[] password = {'a', (byte) 0xC2, (byte) 0xA0, (byte) 0xFF};
    assertThat(PasswordPreparation.prepare(password)).isEqualTo(password);
  }
}
