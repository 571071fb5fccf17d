package io.pgring.session;

/**
 * Why a server connection has to stay with its session: what the session left there cannot be
 * carried to another one. The order is that of the bits in {@code Classification.effects}.
 */
public enum PinCause {
  LISTEN("LISTEN"),
  ADVISORY_LOCK("session advisory lock"),
  TEMPORARY("temporary table"),
  HELD_CURSOR("cursor WITH HOLD"),
  PREPARE("PREPARE"),
  SETTING("SET"),
  ROLE("SET ROLE"),
  LOAD("LOAD"),
  /** The text was not read, and its command tag does not show that it is harmless. */
  UNKNOWN("statement that was not read");

  /** Causes that end with a transaction that is rolled back. */
  static final int TRANSACTIONAL =
      LISTEN.bit() | TEMPORARY.bit() | HELD_CURSOR.bit() | SETTING.bit() | ROLE.bit();

  private static final PinCause[] VALUES = values();

  private final String title;

  PinCause(String title) {
    this.title = title;
  }

  /** The cause in a set of causes. */
  public int bit() {
    return 1 << ordinal();
  }

  /** The causes of a set in words, parted by ", ". */
  public static String titles(int causes) {
    StringBuilder titles = new StringBuilder();
    for (PinCause cause : VALUES) {
      if ((causes & cause.bit()) != 0) {
        titles.append(titles.length() == 0 ? "" : ", ").append(cause.title);
      }
    }
    return titles.toString();
  }
}
