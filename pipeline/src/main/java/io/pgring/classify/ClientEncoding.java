package io.pgring.classify;

import java.util.Locale;
import org.agrona.DirectBuffer;

/**
 * The client_encoding of a session, as far as lexing needs it: the server converts the text to its
 * own encoding before its lexer sees it, so bytes inside a multi-byte character must not be taken
 * for ASCII. Constant; shared by all threads.
 */
public enum ClientEncoding {
  /**
   * Every byte below 128 stands for itself: UTF8, EUC_*, LATIN*, WIN*, KOI8*, ISO_8859_*,
   * MULE_INTERNAL, SQL_ASCII.
   */
  ASCII_SAFE,
  /** Shift JIS. */
  SJIS,
  /** Shift JIS X 0213. */
  SHIFT_JIS_2004,
  /** Traditional Chinese. */
  BIG5,
  /** Simplified Chinese. */
  GBK,
  /** Korean, code page 949. */
  UHC,
  /** Chinese, one, two or four bytes. */
  GB18030,
  /** Korean, combining. */
  JOHAB,
  /** Not known here, so texts in it are not inspectable. */
  UNKNOWN;

  /**
   * The smallest byte that may follow the first one of a multi-byte character in any of these
   * encodings.
   */
  private static final int SMALLEST_TRAIL = 0x30;

  /**
   * Finds the encoding by the name that the server reports in ParameterStatus.
   *
   * @param name as reported; case matters not
   * @return {@link #UNKNOWN} for a name that is none of PostgreSQL's
   */
  public static ClientEncoding of(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    switch (upper) {
      case "SJIS":
      case "SHIFT_JIS_2004":
      case "BIG5":
      case "GBK":
      case "UHC":
      case "GB18030":
      case "JOHAB":
        return valueOf(upper);
      // The server keeps the old name UNICODE as the client wrote it.
      case "UTF8":
      case "UNICODE":
      case "SQL_ASCII":
      case "MULE_INTERNAL":
      case "EUC_JP":
      case "EUC_CN":
      case "EUC_KR":
      case "EUC_TW":
      case "EUC_JIS_2004":
        return ASCII_SAFE;
      default:
        return upper.matches("(LATIN|WIN|ISO_8859_)[0-9]+|KOI8[RU]") ? ASCII_SAFE : UNKNOWN;
    }
  }

  /** False when texts in this encoding must not be lexed. */
  public boolean inspectable() {
    return this != UNKNOWN;
  }

  /** True when every byte below 128 stands for itself, so that nothing needs to be stepped over. */
  public boolean asciiSafe() {
    return this == ASCII_SAFE;
  }

  /**
   * Length of the character that begins with a byte above 127.
   *
   * @param limit index behind the text
   * @return bytes, or 0 where no character of this encoding is
   */
  int characterLength(DirectBuffer buffer, int index, int limit) {
    int lead = buffer.getByte(index) & 0xFF;
    int length = lengthByLead(lead);
    if (length == 1) {
      return 1;
    }
    if (index + length > limit) {
      return 0;
    }
    int trail = buffer.getByte(index + 1) & 0xFF;
    if (trail < SMALLEST_TRAIL) {
      return 0;
    }
    if (this == GB18030 && trail <= '9') {
      return index + 4 <= limit ? 4 : 0;
    }
    return length;
  }

  private int lengthByLead(int lead) {
    switch (this) {
      case SJIS:
      case SHIFT_JIS_2004:
        return lead >= 0xA1 && lead <= 0xDF ? 1 : 2;
      case JOHAB:
        return lead == 0x8F ? 3 : 2;
      case BIG5:
      case GBK:
      case UHC:
      case GB18030:
        return 2;
      default:
        return 1;
    }
  }
}
