package io.pgring.classify;

import static io.pgring.classify.CharClass.CLASS;

import org.agrona.DirectBuffer;

/**
 * Splits SQL text into tokens by the lexical rules of PostgreSQL's {@code scan.l}, skipping spaces
 * and comments. A reusable flyweight over bytes that it neither copies nor keeps beyond the next
 * {@link #wrap}; one thread at a time. Text that PostgreSQL would refuse gives tokens too and is
 * reported by {@link #unterminated()} and {@link #suspect()}. Time is linear in the length of the
 * text.
 */
public final class SqlLexer {
  private final SqlText text = new SqlText();
  private DirectBuffer buffer;
  private int limit;
  private boolean plainStringsEscape;

  private int position;
  private int tokenOffset;
  private int word;
  private boolean suspect;
  private int operatorRunEnd;
  private int operatorRunLastUnsigned;

  /**
   * Begins at the first byte of a text.
   *
   * @param standardConformingStrings the session's setting: off makes backslash an escape in plain
   *     strings
   * @param encoding the session's client_encoding, which must be inspectable
   */
  public void wrap(
      DirectBuffer buffer,
      int offset,
      int length,
      boolean standardConformingStrings,
      ClientEncoding encoding) {
    if (this.buffer != buffer) {
      this.buffer = buffer;
    }
    this.limit = offset + length;
    this.text.wrap(buffer, offset + length, encoding);
    this.plainStringsEscape = !standardConformingStrings;
    this.position = offset;
    this.tokenOffset = offset;
    this.word = 0;
    this.suspect = false;
    this.operatorRunEnd = offset;
  }

  /**
   * Moves to the next token.
   *
   * @return its kind, one of {@link Token}; at the end {@link Token#END}, again and again
   */
  public int next() {
    word = 0;
    int at = position;
    while (at < limit) {
      int b = buffer.getByte(at) & 0xFF;
      byte charClass = CLASS[b];
      if (charClass == CharClass.SPACE) {
        at++;
      } else if (charClass == CharClass.MINUS && text.byteAt(at + 1) == '-') {
        at = text.lineCommentEnd(at + 2);
      } else if (charClass == CharClass.SLASH && text.byteAt(at + 1) == '*') {
        at = text.blockCommentEnd(at + 2);
      } else {
        tokenOffset = at;
        return token(charClass, b, at);
      }
    }
    position = at;
    tokenOffset = at;
    return Token.END;
  }

  /** Index of the token's first byte. */
  public int tokenOffset() {
    return tokenOffset;
  }

  /** Bytes of the token, with quotes and prefix; a continued string spans all its parts. */
  public int tokenLength() {
    return position - tokenOffset;
  }

  /**
   * The text that was read so far ended inside a string, a quoted identifier or a block comment.
   */
  public boolean unterminated() {
    return text.unterminated();
  }

  /** Something was read that PostgreSQL refuses, or that its versions read differently. */
  public boolean suspect() {
    return suspect || text.suspect();
  }

  /**
   * The text that was read so far could mean something else under other settings of the session.
   */
  public boolean dependsOnSettings() {
    return text.dependsOnSettings();
  }

  /** Ordinal of the {@link Keyword} that an identifier, quoted or not, stands for. */
  int word() {
    return word;
  }

  private int token(byte charClass, int b, int at) {
    switch (charClass) {
      case CharClass.LETTER:
        return identifier(at);
      case CharClass.STRING_LETTER:
        return prefixedString(b, at);
      case CharClass.DIGIT:
        return number(at);
      case CharClass.QUOTE:
        position = text.stringEnd(at + 1, true, plainStringsEscape, true);
        return Token.STRING;
      case CharClass.DOUBLE_QUOTE:
        return quotedIdentifier(at);
      case CharClass.DOLLAR:
        return dollar(at);
      case CharClass.DOT:
        return dot(at);
      case CharClass.COLON:
        return colon(at);
      case CharClass.PUNCTUATION:
        position = at + 1;
        return Token.ofPunctuation(b);
      case CharClass.OTHER:
        position = at + 1;
        suspect = true;
        return Token.OTHER;
      default:
        return operator(at);
    }
  }

  private int identifier(int from) {
    int at = from + 1;
    if (buffer.getByte(from) < 0) {
      at = text.behindHighByte(from);
    }
    at = text.identifierEnd(at);
    position = at;
    word = Keyword.find(buffer, from, at - from);
    return Token.IDENTIFIER;
  }

  /** A string with a prefix, or else the identifier that begins with that letter. */
  private int prefixedString(int letter, int at) {
    int next = text.byteAt(at + 1);
    if (next == '\'' && (letter | 0x20) != 'u') {
      return letterString(letter | 0x20, at);
    }
    if (next == '&' && (letter | 0x20) == 'u') {
      int quote = text.byteAt(at + 2);
      if (quote == '\'') {
        // PostgreSQL refuses these where plain strings have escapes.
        suspect |= plainStringsEscape;
        position = text.stringEnd(at + 3, true, false, false);
        return Token.STRING;
      }
      if (quote == '"') {
        position = text.quotedIdentifierEnd(at + 3);
        return Token.UNICODE_IDENTIFIER;
      }
    }
    return identifier(at);
  }

  private int letterString(int letter, int at) {
    if (letter == 'e') {
      position = text.stringEnd(at + 2, true, true, false);
      return Token.STRING;
    }
    position = text.stringEnd(at + 2, false, false, false);
    return Token.BIT_STRING;
  }

  private int quotedIdentifier(int from) {
    position = text.quotedIdentifierEnd(from + 1);
    word = Keyword.find(buffer, from + 1, Math.max(0, position - from - 2));
    return Token.QUOTED_IDENTIFIER;
  }

  /** A parameter, or a dollar-quoted string. */
  private int dollar(int from) {
    int next = text.byteAt(from + 1);
    if (next >= 0 && CharClass.isDigit(next)) {
      position = digitsEnd(from + 1);
      suspectLetterBehind(position);
      return Token.PARAMETER;
    }
    int body = text.dollarTagEnd(from + 1);
    if (body < 0) {
      suspect = true;
      position = from + 1;
      return Token.OTHER;
    }
    position = text.dollarStringEnd(from, body);
    return Token.STRING;
  }

  private int dot(int at) {
    int next = text.byteAt(at + 1);
    if (next >= 0 && CharClass.isDigit(next)) {
      position = exponentEnd(digitsEnd(at + 1));
      suspectLetterBehind(position);
      return Token.NUMBER;
    }
    if (next == '.') {
      position = at + 2;
      return Token.DOT_DOT;
    }
    position = at + 1;
    return Token.DOT;
  }

  private int number(int from) {
    int at = radixNumberEnd(from);
    if (at < 0) {
      at = digitsEnd(from);
      // 1..2 is a range, not two numbers.
      if (text.byteAt(at) == '.' && text.byteAt(at + 1) != '.') {
        at = digitsEnd(at + 1);
      }
      at = exponentEnd(at);
    }
    position = at;
    suspectLetterBehind(at);
    return Token.NUMBER;
  }

  /** End of a hexadecimal, octal or binary number, or -1; they exist since PostgreSQL 16. */
  private int radixNumberEnd(int from) {
    int letter = text.byteAt(from + 1) | 0x20;
    int bits = letter == 'x' ? 4 : letter == 'o' ? 3 : letter == 'b' ? 1 : 0;
    if (buffer.getByte(from) != '0' || bits == 0) {
      return -1;
    }
    int at = from + 2;
    while (isDigitOfRadix(text.byteAt(at), bits)
        || text.byteAt(at) == '_' && isDigitOfRadix(text.byteAt(at + 1), bits)) {
      at++;
    }
    return at > from + 2 ? at : -1;
  }

  private static boolean isDigitOfRadix(int b, int bits) {
    return b >= 0 && Character.digit(b, 1 << bits) >= 0;
  }

  /** End of decimal digits; single underscores may stand between them since PostgreSQL 16. */
  private int digitsEnd(int from) {
    int at = from;
    while (isDecimal(text.byteAt(at))
        || at > from && text.byteAt(at) == '_' && isDecimal(text.byteAt(at + 1))) {
      at++;
    }
    return at;
  }

  private int exponentEnd(int from) {
    if ((text.byteAt(from) | 0x20) != 'e') {
      return from;
    }
    int sign = text.byteAt(from + 1);
    int digits = sign == '+' || sign == '-' ? from + 2 : from + 1;
    return isDecimal(text.byteAt(digits)) ? digitsEnd(digits) : from;
  }

  private static boolean isDecimal(int b) {
    return b >= '0' && b <= '9';
  }

  /** A letter right behind a number is a new token before PostgreSQL 15 and an error since. */
  private void suspectLetterBehind(int at) {
    int b = text.byteAt(at);
    suspect |= b >= 0 && CharClass.isLetter(b);
  }

  private int colon(int at) {
    int next = text.byteAt(at + 1);
    if (next == ':') {
      position = at + 2;
      return Token.TYPECAST;
    }
    if (next == '=') {
      position = at + 2;
      return Token.COLON_EQUALS;
    }
    position = at + 1;
    return Token.COLON;
  }

  /**
   * An operator ends before a comment. One made of SQL's own operator characters only does not end
   * in a sign either: {@code =-1} is two operators. What a run of such characters looks like is
   * remembered, so that many signs cost linear time.
   */
  private int operator(int from) {
    if (from >= operatorRunEnd) {
      measureOperatorRun(from);
    }
    position = Math.max(from, operatorRunLastUnsigned) + 1;
    return Token.OPERATOR;
  }

  private void measureOperatorRun(int from) {
    boolean freesTrailingSign = false;
    int lastUnsigned = from;
    int at = from;
    while (at < limit) {
      int b = buffer.getByte(at) & 0xFF;
      int next = text.byteAt(at + 1);
      if (!CharClass.isOperator(b) || b == '-' && next == '-' || b == '/' && next == '*') {
        break;
      }
      freesTrailingSign |= CharClass.freesTrailingSign(b);
      if (b != '+' && b != '-') {
        lastUnsigned = at;
      }
      at++;
    }
    operatorRunEnd = at;
    operatorRunLastUnsigned = freesTrailingSign ? at - 1 : lastUnsigned;
  }
}
