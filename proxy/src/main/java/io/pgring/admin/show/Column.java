package io.pgring.admin.show;

import java.util.ArrayList;
import java.util.List;

/**
 * A column of a table. Immutable.
 *
 * @param name as PgBouncer calls it
 * @param typeOid of PostgreSQL
 */
public record Column(String name, int typeOid) {
  public static final int INT8 = 20;
  public static final int INT4 = 23;
  public static final int TEXT = 25;
  public static final int NUMERIC = 1700;

  /** Columns from names with the letters that PgBouncer uses for types: {@code "user:s wait:i"}. */
  static List<Column> list(String columns) {
    List<Column> list = new ArrayList<>();
    for (String column : columns.trim().split("\\s+")) {
      int colon = column.indexOf(':');
      list.add(new Column(column.substring(0, colon), typeOid(column.charAt(colon + 1))));
    }
    return List.copyOf(list);
  }

  private static int typeOid(char letter) {
    return switch (letter) {
      case 's' -> TEXT;
      case 'i' -> INT4;
      case 'q' -> INT8;
      case 'N' -> NUMERIC;
      default -> throw new IllegalArgumentException("no type: " + letter);
    };
  }
}
