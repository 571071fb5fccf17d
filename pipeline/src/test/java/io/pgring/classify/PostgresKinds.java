package io.pgring.classify;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells from PostgreSQL's parse tree which kinds a statement may have. */
final class PostgresKinds {
  private static final Pattern NODE =
      Pattern.compile("^\\{\"version\":\\d+,\"stmts\":\\[\\{\"stmt\":\\{\"(\\w+)\":\\{(.*)$");
  private static final Pattern TRANSACTION = Pattern.compile("^\"kind\":\"TRANS_STMT_(\\w+)\"");
  private static final Pattern SETTING =
      Pattern.compile("^\"kind\":\"(\\w+)\"(?:,\"name\":\"([^\"]*)\")?");

  private static final Map<String, StatementKind> SIMPLE =
      Map.ofEntries(
          Map.entry("CallStmt", StatementKind.CALL),
          Map.entry("CheckPointStmt", StatementKind.CHECKPOINT),
          Map.entry("ClosePortalStmt", StatementKind.CLOSE),
          Map.entry("ClusterStmt", StatementKind.CLUSTER),
          Map.entry("ConstraintsSetStmt", StatementKind.SET_CONSTRAINTS),
          Map.entry("DeallocateStmt", StatementKind.DEALLOCATE),
          Map.entry("DeclareCursorStmt", StatementKind.DECLARE),
          Map.entry("DiscardStmt", StatementKind.DISCARD),
          Map.entry("DoStmt", StatementKind.DO),
          Map.entry("ExecuteStmt", StatementKind.EXECUTE),
          Map.entry("ExplainStmt", StatementKind.EXPLAIN),
          Map.entry("ListenStmt", StatementKind.LISTEN),
          Map.entry("LoadStmt", StatementKind.LOAD),
          Map.entry("LockStmt", StatementKind.LOCK),
          Map.entry("NotifyStmt", StatementKind.NOTIFY),
          Map.entry("PrepareStmt", StatementKind.PREPARE),
          Map.entry("ReindexStmt", StatementKind.REINDEX),
          Map.entry("TruncateStmt", StatementKind.TRUNCATE),
          Map.entry("UnlistenStmt", StatementKind.UNLISTEN),
          Map.entry("VariableShowStmt", StatementKind.SHOW));

  private PostgresKinds() {}

  static Set<StatementKind> of(String tree) {
    Matcher node = NODE.matcher(tree);
    if (!node.find()) {
      throw new IllegalArgumentException(tree);
    }
    String name = node.group(1);
    String fields = node.group(2);
    switch (name) {
      case "SelectStmt":
        return Set.of(
            StatementKind.SELECT, StatementKind.VALUES, StatementKind.TABLE, StatementKind.WITH);
      case "InsertStmt":
      case "UpdateStmt":
      case "DeleteStmt":
      case "MergeStmt":
        String verb = name.substring(0, name.length() - 4).toUpperCase(Locale.ROOT);
        return Set.of(StatementKind.valueOf(verb), StatementKind.WITH);
      case "TransactionStmt":
        return transaction(fields);
      case "VariableSetStmt":
        return Set.of(setting(fields));
      case "CopyStmt":
        return Set.of(copy(fields));
      case "FetchStmt":
        return Set.of(
            fields.contains("\"ismove\":true") ? StatementKind.MOVE : StatementKind.FETCH);
      case "VacuumStmt":
        return Set.of(
            fields.contains("\"is_vacuumcmd\":true")
                ? StatementKind.VACUUM
                : StatementKind.ANALYZE);
      default:
        return Set.of(SIMPLE.getOrDefault(name, StatementKind.DDL));
    }
  }

  private static Set<StatementKind> transaction(String fields) {
    Matcher matcher = TRANSACTION.matcher(fields);
    if (!matcher.find()) {
      throw new IllegalArgumentException(fields);
    }
    switch (matcher.group(1)) {
      case "START":
        return Set.of(StatementKind.START_TRANSACTION);
      case "COMMIT":
        return Set.of(StatementKind.COMMIT, StatementKind.END);
      case "ROLLBACK":
        return Set.of(StatementKind.ROLLBACK, StatementKind.ABORT);
      case "PREPARE":
        return Set.of(StatementKind.PREPARE_TRANSACTION);
      default:
        return Set.of(StatementKind.valueOf(matcher.group(1)));
    }
  }

  private static StatementKind setting(String fields) {
    Matcher matcher = SETTING.matcher(fields);
    if (!matcher.find()) {
      throw new IllegalArgumentException(fields);
    }
    String name = String.valueOf(matcher.group(2));
    if (matcher.group(1).startsWith("VAR_RESET")) {
      return StatementKind.RESET;
    }
    if (name.equals("TRANSACTION") || name.equals("TRANSACTION SNAPSHOT")) {
      return StatementKind.SET_TRANSACTION;
    }
    if (fields.contains("\"is_local\":true")) {
      return StatementKind.SET_LOCAL;
    }
    switch (name) {
      case "SESSION CHARACTERISTICS":
        return StatementKind.SET_SESSION_CHARACTERISTICS;
      case "role":
        return StatementKind.SET_ROLE;
      case "session_authorization":
        return StatementKind.SET_SESSION_AUTHORIZATION;
      default:
        return StatementKind.SET;
    }
  }

  private static StatementKind copy(String fields) {
    if (fields.contains("\"filename\":")) {
      return StatementKind.COPY_OTHER;
    }
    return fields.contains("\"is_from\":true")
        ? StatementKind.COPY_FROM_STDIN
        : StatementKind.COPY_TO_STDOUT;
  }
}
