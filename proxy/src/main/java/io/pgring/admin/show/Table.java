package io.pgring.admin.show;

import java.util.List;

/**
 * A result. Immutable once it is handed out.
 *
 * @param columns of each row
 * @param rows values in the order of the columns: text, whole numbers, or null
 */
public record Table(List<Column> columns, List<Object[]> rows) {}
