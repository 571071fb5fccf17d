package io.pgring.classify;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The bytes that {@link SqlLexer} reads, and the ends of everything in them whose inside is opaque:
 * strings, quoted identifiers, comments, multi-byte characters. Remembers what was wrong with them.
 * A reusable flyweight of the lexer's thread.
 */
final class SqlText {
  private static final int NOT_A_BYTE = -1;

  private DirectBuffer buffer;
  private int limit;
  private boolean asciiSafe;
  private ClientEncoding encoding;
  private boolean unterminated;
  private boolean suspect;
  private boolean backslashInPlainString;
  private boolean highByte;

  void wrap(DirectBuffer buffer, int limit, ClientEncoding encoding) {
    // Mostly the same ones; storing a reference has a price.
    if (this.buffer != buffer) {
      this.buffer = buffer;
    }
    this.limit = limit;
    if (this.encoding != encoding) {
      this.encoding = encoding;
    }
    this.asciiSafe = encoding.asciiSafe();
    this.unterminated = false;
    this.suspect = false;
    this.backslashInPlainString = false;
    this.highByte = false;
  }

  boolean unterminated() {
    return unterminated;
  }

  boolean suspect() {
    return suspect;
  }

  boolean dependsOnSettings() {
    return backslashInPlainString || highByte;
  }

  /**
   * Finds the end of a string and of all that continues it.
   *
   * @param from index behind the opening quote
   * @param doublesQuotes two quotes stand for one
   * @param escapes a backslash takes the next character with it
   * @param plain the string has no prefix, so that a backslash means what the session's setting
   *     says
   */
  int stringEnd(int from, boolean doublesQuotes, boolean escapes, boolean plain) {
    int at = from;
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (b == '\'') {
        at++;
        if (doublesQuotes && byteAt(at) == '\'') {
          at++;
        } else {
          int continued = continuation(at);
          if (continued < 0) {
            return at;
          }
          at = continued;
        }
      } else if (b == '\\') {
        backslashInPlainString |= plain;
        at = escapes ? behindCharacter(at + 1) : at + 1;
      } else {
        at = b < 0 ? behindHighByte(at) : at + 1;
      }
    }
    unterminated = true;
    return limit;
  }

  /**
   * Looks for the quote that continues a string: behind spaces and line comments with at least one
   * newline among them.
   *
   * @return index behind that quote, or -1
   */
  private int continuation(int from) {
    boolean newline = false;
    int at = from;
    while (at < limit) {
      int b = buffer.getByte(at);
      if (b == '\'') {
        return newline ? at + 1 : -1;
      }
      if (b == '-' && byteAt(at + 1) == '-') {
        at = lineCommentEnd(at + 2);
      } else if (b >= 0 && CharClass.CLASS[b] == CharClass.SPACE) {
        newline |= b == '\n' || b == '\r';
        at++;
      } else {
        return -1;
      }
    }
    return -1;
  }

  /** Index behind the bytes that may continue an identifier. */
  int identifierEnd(int from) {
    int at = from;
    while (at + Long.BYTES <= limit) {
      int plain = plainLetters(buffer.getLong(at, ByteOrder.LITTLE_ENDIAN));
      at += plain;
      if (plain < Long.BYTES) {
        break;
      }
    }
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (!CharClass.CONTINUES_IDENTIFIER[b & 0xFF]) {
        break;
      }
      at = b < 0 ? behindHighByte(at) : at + 1;
    }
    return at;
  }

  /** How many of the first of eight bytes continue an identifier and are ASCII. */
  private static int plainLetters(long bytes) {
    int count = 0;
    while (count < Long.BYTES
        && (byte) bytes >= 0
        && CharClass.CONTINUES_IDENTIFIER[(int) bytes & 0xFF]) {
      bytes >>>= Byte.SIZE;
      count++;
    }
    return count;
  }

  int quotedIdentifierEnd(int from) {
    int at = from;
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (b != '"') {
        at = b < 0 ? behindHighByte(at) : at + 1;
      } else if (byteAt(at + 1) == '"') {
        at += 2;
      } else {
        return at + 1;
      }
    }
    unterminated = true;
    return limit;
  }

  /** Index behind the dollar sign that ends the tag, or -1 where there is no tag. */
  int dollarTagEnd(int from) {
    int at = from;
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (b == '$') {
        return at + 1;
      }
      if (!CharClass.CONTINUES_IDENTIFIER[b & 0xFF]
          || at == from && !CharClass.isLetter(b & 0xFF)) {
        return -1;
      }
      at = b < 0 ? behindHighByte(at) : at + 1;
    }
    return -1;
  }

  int dollarStringEnd(int tag, int body) {
    int tagLength = body - tag;
    int at = body;
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (b == '$' && repeats(tag, tagLength, at)) {
        return at + tagLength;
      }
      at = b < 0 ? behindHighByte(at) : at + 1;
    }
    unterminated = true;
    return limit;
  }

  private boolean repeats(int first, int length, int second) {
    if (length > limit - second) {
      return false;
    }
    for (int i = 1; i < length; i++) {
      if (buffer.getByte(first + i) != buffer.getByte(second + i)) {
        return false;
      }
    }
    return true;
  }

  int lineCommentEnd(int from) {
    int at = from;
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (b == '\n' || b == '\r') {
        return at;
      }
      at = b < 0 ? behindHighByte(at) : at + 1;
    }
    return at;
  }

  int blockCommentEnd(int from) {
    int depth = 1;
    int at = from;
    while (at < limit) {
      byte b = buffer.getByte(at);
      if (b == '*' && byteAt(at + 1) == '/') {
        at += 2;
        if (--depth == 0) {
          return at;
        }
      } else if (b == '/' && byteAt(at + 1) == '*') {
        at += 2;
        depth++;
      } else {
        at = b < 0 ? behindHighByte(at) : at + 1;
      }
    }
    unterminated = true;
    return limit;
  }

  private int behindCharacter(int at) {
    if (at >= limit) {
      return limit;
    }
    return buffer.getByte(at) < 0 ? behindHighByte(at) : at + 1;
  }

  /** Index behind the character that begins with a byte above 127. */
  int behindHighByte(int at) {
    highByte = true;
    if (asciiSafe) {
      return at + 1;
    }
    int length = encoding.characterLength(buffer, at, limit);
    suspect |= length == 0;
    return at + Math.max(1, length);
  }

  int byteAt(int index) {
    return index < limit ? buffer.getByte(index) & 0xFF : NOT_A_BYTE;
  }
}
