package io.pgring.admin;

import io.pgring.admin.show.Table;

/**
 * What a command came to. Immutable.
 *
 * @param table null when it returns no rows
 * @param notice null, or what the client is told beside
 * @param tag of its CommandComplete
 */
record Result(Table table, String notice, String tag) {
  static Result of(Table table) {
    return new Result(table, null, "SHOW");
  }

  static Result of(String tag) {
    return new Result(null, null, tag);
  }
}
