package io.pgring.protocol;

/** Field codes of ErrorResponse and NoticeResponse (section "Error and Notice Message Fields"). */
public final class FieldCode {
  /** Severity, possibly translated. */
  public static final byte SEVERITY = 'S';

  /** Severity, never translated. */
  public static final byte SEVERITY_NOT_LOCALIZED = 'V';

  public static final byte SQL_STATE = 'C';
  public static final byte MESSAGE = 'M';
  public static final byte DETAIL = 'D';
  public static final byte HINT = 'H';
  public static final byte POSITION = 'P';
  public static final byte INTERNAL_POSITION = 'p';
  public static final byte INTERNAL_QUERY = 'q';
  public static final byte WHERE = 'W';
  public static final byte SCHEMA_NAME = 's';
  public static final byte TABLE_NAME = 't';
  public static final byte COLUMN_NAME = 'c';
  public static final byte DATA_TYPE_NAME = 'd';
  public static final byte CONSTRAINT_NAME = 'n';
  public static final byte FILE = 'F';
  public static final byte LINE = 'L';
  public static final byte ROUTINE = 'R';

  private FieldCode() {}
}
