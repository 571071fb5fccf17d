package io.pgring.login.secret;

import com.ongres.stringprep.Option;
import com.ongres.stringprep.Profile;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.Set;

/**
 * SASLprep (RFC 4013) as PostgreSQL applies it to a password before SCRAM hashes it. Stateless; any
 * thread.
 *
 * <p>PostgreSQL departs from the RFC in four ways that change the hash, so they are kept: plain
 * ASCII is taken as it is, control characters included; U+200B counts as a space; prohibited and
 * unassigned characters are looked for before normalization, not after it; and a password that
 * cannot be prepared, or is not valid UTF-8, is hashed by its raw bytes.
 */
final class PasswordPreparation {
  private static final Profile MAP_AND_CHECK = new MapAndCheck();

  private PasswordPreparation() {}

  /** The bytes that SCRAM hashes for this password. */
  static byte[] prepare(byte[] password) {
    if (isAscii(password)) {
      return password;
    }
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(password)).toString();
      String mapped = MAP_AND_CHECK.prepareStored(withPlainSpaces(text));
      return Normalizer.normalize(mapped, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8);
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return password;
    } catch (IndexOutOfBoundsException e) {
      // The library ends so when the mapping leaves nothing of the password.
      return password;
    }
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  /** RFC 3454 table C.1.2, done here because the library would drop U+200B (table B.1) first. */
  private static String withPlainSpaces(String text) {
    StringBuilder result = new StringBuilder(text);
    for (int i = 0; i < result.length(); i++) {
      if (isNonAsciiSpace(result.charAt(i))) {
        result.setCharAt(i, ' ');
      }
    }
    return result.toString();
  }

  private static boolean isNonAsciiSpace(char c) {
    return switch (c) {
      case '\u00A0', '\u1680', '\u202F', '\u205F', '\u3000' -> true;
      default -> c >= '\u2000' && c <= '\u200B';
    };
  }

  /** SASLprep without its normalization. */
  private static final class MapAndCheck implements Profile {
    private final Set<Option> options =
        EnumSet.of(
            Option.MAP_TO_NOTHING,
            Option.FORBID_NON_ASCII_SPACES,
            Option.FORBID_ASCII_CONTROL,
            Option.FORBID_NON_ASCII_CONTROL,
            Option.FORBID_PRIVATE_USE,
            Option.FORBID_NON_CHARACTER,
            Option.FORBID_SURROGATE,
            Option.FORBID_INAPPROPRIATE_FOR_PLAIN_TEXT,
            Option.FORBID_INAPPROPRIATE_FOR_CANON_REP,
            Option.FORBID_CHANGE_DISPLAY_AND_DEPRECATED,
            Option.FORBID_TAGGING,
            Option.CHECK_BIDI);

    @Override
    public Set<Option> profile() {
      return options;
    }
  }
}
