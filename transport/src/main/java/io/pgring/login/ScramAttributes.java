package io.pgring.login;

/**
 * A cursor over the attributes of one SCRAM message (RFC 5802 section 5.1), whose complaints are
 * those of PostgreSQL. The text is the message's bytes as ISO 8859-1, without a NUL. A method that
 * finds something else than it expects answers {@code null} and leaves the reason in {@link
 * #problem()}.
 */
final class ScramAttributes {
  /** Stands for the end of the text, as in the C strings of PostgreSQL's own messages. */
  private static final char END = '\0';

  private final String text;
  private int position;
  private String problem;

  ScramAttributes(String text) {
    this.text = text;
  }

  /** The next character, NUL at the end. */
  char peek() {
    return position < text.length() ? text.charAt(position) : END;
  }

  boolean atEnd() {
    return position == text.length();
  }

  void skip() {
    position++;
  }

  int position() {
    return position;
  }

  String rest() {
    return text.substring(position);
  }

  /** Why the last method answered {@code null}. */
  String problem() {
    return problem;
  }

  /** The value of the next attribute, which must be this one. */
  String value(char attribute) {
    if (peek() != attribute) {
      return problem(
          "Expected attribute \"" + attribute + "\" but found \"" + shown(peek()) + "\".");
    }
    return valueOf(attribute);
  }

  /** The value of the next attribute, whichever it is. */
  String anyValue() {
    char attribute = peek();
    if (attribute == END) {
      return problem("Attribute expected, but found end of string.");
    }
    if (!isLetter(attribute)) {
      return problem(
          "Attribute expected, but found invalid character \"" + shown(attribute) + "\".");
    }
    return valueOf(attribute);
  }

  private String valueOf(char attribute) {
    position++;
    if (peek() != '=') {
      return problem("Expected character \"=\" for attribute \"" + attribute + "\".");
    }
    int begin = position + 1;
    int comma = text.indexOf(',', begin);
    position = comma < 0 ? text.length() : comma + 1;
    return text.substring(begin, comma < 0 ? text.length() : comma);
  }

  private String problem(String reason) {
    problem = reason;
    return null;
  }

  private static boolean isLetter(char c) {
    return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
  }

  /** A character as PostgreSQL quotes it: printable ASCII in quotes, all else in hexadecimal. */
  static String shown(char c) {
    return isPrintable(c) ? "'" + c + "'" : String.format("0x%02x", (int) c);
  }

  /** RFC 5802 {@code printable}, which a nonce consists of. */
  static boolean isNonce(String value) {
    return value.chars().allMatch(c -> isPrintable((char) c));
  }

  private static boolean isPrintable(char c) {
    return c >= 0x21 && c <= 0x7E;
  }
}
