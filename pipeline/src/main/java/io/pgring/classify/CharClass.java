package io.pgring.classify;

/** What a byte may begin in SQL text, as tables of 256 entries. Constant; shared by all threads. */
final class CharClass {
  /** Begins nothing that PostgreSQL accepts. */
  static final byte OTHER = 0;

  static final byte SPACE = 1;

  /** Begins an identifier. */
  static final byte LETTER = 2;

  /** Begins an identifier, or with a quote behind it a string: b, e, u, x. */
  static final byte STRING_LETTER = 3;

  static final byte DIGIT = 4;
  static final byte QUOTE = 5;
  static final byte DOUBLE_QUOTE = 6;
  static final byte DOLLAR = 7;
  static final byte DOT = 8;
  static final byte COLON = 9;

  /** Punctuation that is always a token of its own. */
  static final byte PUNCTUATION = 10;

  /** Part of an operator. */
  static final byte OPERATOR = 11;

  /** Part of an operator, or the first byte of a comment. */
  static final byte MINUS = 12;

  /** Part of an operator, or the first byte of a comment. */
  static final byte SLASH = 13;

  /** Class by unsigned byte. */
  static final byte[] CLASS = new byte[256];

  /** What may follow in an identifier, by unsigned byte. */
  static final boolean[] CONTINUES_IDENTIFIER = new boolean[256];

  /** Bytes that allow an operator of several characters to end in + or -. */
  private static final String FREES_TRAILING_SIGN = "~!@#^&|`?%";

  static {
    // Vertical tab is a space since PostgreSQL 16 and an error before.
    assign(" \t\n\r\f\u000B", SPACE);
    assign("0123456789", DIGIT);
    assign("~!@#^&|`?%+*<>=", OPERATOR);
    assign("(),;[]", PUNCTUATION);
    assign("-", MINUS);
    assign("/", SLASH);
    assign("'", QUOTE);
    assign("\"", DOUBLE_QUOTE);
    assign("$", DOLLAR);
    assign(".", DOT);
    assign(":", COLON);
    assign("_", LETTER);
    for (int b = 'a'; b <= 'z'; b++) {
      CLASS[b] = LETTER;
      CLASS[b - 'a' + 'A'] = LETTER;
    }
    assign("bBeEuUxX", STRING_LETTER);
    for (int b = 128; b < 256; b++) {
      CLASS[b] = LETTER;
    }
    for (int b = 0; b < 256; b++) {
      CONTINUES_IDENTIFIER[b] = isLetter(b) || isDigit(b) || b == '$';
    }
  }

  private CharClass() {}

  private static void assign(String characters, byte charClass) {
    for (int i = 0; i < characters.length(); i++) {
      CLASS[characters.charAt(i)] = charClass;
    }
  }

  static boolean isOperator(int unsignedByte) {
    return CLASS[unsignedByte] >= OPERATOR;
  }

  /** True for bytes that begin an identifier or a dollar quote's tag. */
  static boolean isLetter(int unsignedByte) {
    byte charClass = CLASS[unsignedByte];
    return charClass == LETTER || charClass == STRING_LETTER;
  }

  static boolean isDigit(int unsignedByte) {
    return CLASS[unsignedByte] == DIGIT;
  }

  static boolean freesTrailingSign(int unsignedByte) {
    return FREES_TRAILING_SIGN.indexOf(unsignedByte) >= 0;
  }
}
