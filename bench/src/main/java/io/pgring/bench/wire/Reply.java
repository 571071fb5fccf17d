package io.pgring.bench.wire;

import java.nio.charset.StandardCharsets;

/**
 * One message of a server.
 *
 * @param type its type byte
 * @param body what follows the length
 */
public record Reply(char type, byte[] body) {
  /** The type of ErrorResponse. */
  public static final char ERROR = 'E';

  /** The type of ReadyForQuery. */
  public static final char READY = 'Z';

  /** The type of an Authentication message. */
  static final char AUTHENTICATION = 'R';

  /** Types of all messages that protocol 3 has for a client, CopyBothResponse included. */
  private static final String TYPES = "RKSZENACDTIGHWVdcnst123v";

  /**
   * @param type a type byte
   * @return whether a server may send it
   */
  static boolean knownType(char type) {
    return TYPES.indexOf(type) >= 0;
  }

  /**
   * @return the body as text with its NULs as blanks, for messages to a person
   */
  public String text() {
    return new String(body, StandardCharsets.ISO_8859_1).replace('\0', ' ').strip();
  }
}
