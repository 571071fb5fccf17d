package io.pgring.classify;

/** Kinds of tokens that {@link SqlLexer#next()} returns. */
public final class Token {
  /** The text has ended. */
  public static final int END = 0;

  /** An identifier or keyword without quotes. */
  public static final int IDENTIFIER = 1;

  /** {@code "..."}. */
  public static final int QUOTED_IDENTIFIER = 2;

  /** {@code U&"..."}, whose name is known only after its escapes are resolved. */
  public static final int UNICODE_IDENTIFIER = 3;

  /** Any string constant: {@code '...'}, with a prefix, dollar quoted, continued over lines. */
  public static final int STRING = 4;

  /** A bit string, {@code B'...'} or {@code X'...'}. */
  public static final int BIT_STRING = 5;

  /** An unsigned number. */
  public static final int NUMBER = 6;

  /** {@code $1}. */
  public static final int PARAMETER = 7;

  /** An operator of one or more characters. */
  public static final int OPERATOR = 8;

  /** {@code (}. */
  public static final int LEFT_PARENTHESIS = 9;

  /** {@code )}. */
  public static final int RIGHT_PARENTHESIS = 10;

  /** {@code [}. */
  public static final int LEFT_BRACKET = 11;

  /** {@code ]}. */
  public static final int RIGHT_BRACKET = 12;

  /** {@code ,}. */
  public static final int COMMA = 13;

  /** {@code ;}. */
  public static final int SEMICOLON = 14;

  /** {@code .}. */
  public static final int DOT = 15;

  /** {@code ..}. */
  public static final int DOT_DOT = 16;

  /** {@code :}. */
  public static final int COLON = 17;

  /** {@code ::}. */
  public static final int TYPECAST = 18;

  /** {@code :=}. */
  public static final int COLON_EQUALS = 19;

  /** A byte that PostgreSQL has no token for: its parser refuses the text. */
  public static final int OTHER = 20;

  private Token() {}

  static int ofPunctuation(int unsignedByte) {
    switch (unsignedByte) {
      case '(':
        return LEFT_PARENTHESIS;
      case ')':
        return RIGHT_PARENTHESIS;
      case '[':
        return LEFT_BRACKET;
      case ']':
        return RIGHT_BRACKET;
      case ',':
        return COMMA;
      default:
        return SEMICOLON;
    }
  }
}
