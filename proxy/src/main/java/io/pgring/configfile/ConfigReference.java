package io.pgring.configfile;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;

/** Writes the reference page of the configuration, {@code docs/configuration.md}, in Markdown. */
final class ConfigReference {
  private static final String INTRODUCTION =
      """
      # Configuration

      <!-- Generated from the catalogue of keys; a test compares. -->

      pgring reads one YAML file. `./pgring check FILE` prints everything that is wrong with it, each
      problem with its line and what to do about it, and `./pgring serve FILE` refuses to start with
      errors. An unknown key is an error. Keys have the names of PgBouncer's settings, with the unit
      at the end where there is one. This is a whole file:

      ```yaml
      listen: ["127.0.0.1:6432", "unix:/tmp/pgring-sock/.s.PGSQL.6432"]
      databases:
        bench: { primary: "127.0.0.1:5432", pool_mode: transaction, pool_size: 20 }
        "*":   { primary: "127.0.0.1:5432" }
      users:
        bencher: { password: "secret" }
      lanes: auto
      threading: fused
      ```

      - An address is `host:port`, `[IPv6]:port` or `unix:/path/to/socket`; without a port it is 5432.
      - `"*"` in `databases` stands for every name without an entry, and has that name on the server
        too. `"*"` in `users` stands for every user without an entry.
      - A password is a text, `{ file: /run/secrets/x }` or `{ env: NAME }`. A relative path starts at
        the directory of the configuration file. A line end after the password in a file does not
        belong to it.
      - A user's password may be the password itself, a SCRAM-SHA-256 verifier or an md5 hash, both as
        in `pg_authid`. A verifier logs in to servers that hold the same verifier. An md5 hash logs in
        only to servers that ask for md5.
      - A duration takes decimals: `query_timeout_s: 0.5`.
      - Values are taken as written, so `no` is a text and not false. Numbers, true and false stand
        without quotes.
      - Databases and users can be changed by a reload. A changed key that says "restart" is left as it
        was until pgring is started again.
      """;

  private ConfigReference() {}

  /** The whole page. */
  static String markdown() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    table(
        page,
        ConfigScope.GLOBAL,
        "Top level",
        "Beside these stand `databases` and `users`, which must have an entry each.");
    table(
        page,
        ConfigScope.DATABASE,
        "Databases",
        "Keys of one entry of `databases`. What is not given is as at the top level, if it can stand"
            + " there.");
    table(
        page,
        ConfigScope.USER,
        "Users",
        "Keys of one entry of `users`. What is not given is as in the database or at the top level,"
            + " if it can stand there.");
    pgbouncerNames(page);
    return page.toString();
  }

  private static void table(
      StringBuilder page, ConfigScope scope, String title, String introduction) {
    page.append("\n## ").append(title).append("\n\n").append(introduction).append("\n\n");
    page.append("| key | value | default | changes by | meaning |\n");
    page.append("|---|---|---|---|---|\n");
    for (ConfigKey key : ConfigKey.values()) {
      if (key.scopes().contains(scope)) {
        row(
            page,
            "`" + key.yamlName() + "`",
            value(key),
            defaultValue(key, scope),
            change(key),
            key.meaning());
      }
    }
  }

  private static void pgbouncerNames(StringBuilder page) {
    page.append("\n## Coming from PgBouncer\n\n");
    page.append("Settings with another name here; all others have the same one.\n\n");
    page.append("| pgbouncer.ini | here | value |\n|---|---|---|\n");
    for (ConfigKey key : ConfigKey.values()) {
      for (String name : key.pgbouncerNames()) {
        if (!name.equals(key.yamlName())) {
          row(page, "`" + name + "`", "`" + key.yamlName() + "`", key.type().description());
        }
      }
    }
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String value(ConfigKey key) {
    String range = key.isBounded() ? ", " + key.min() + " to " + key.max() : "";
    return key.type().description() + range + (key.isPowerOfTwo() ? ", a power of two" : "");
  }

  private static String defaultValue(ConfigKey key, ConfigScope scope) {
    if (scope == ConfigScope.USER && key.scopes().contains(ConfigScope.DATABASE)) {
      return "the database's";
    }
    if (scope != ConfigScope.GLOBAL && key.scopes().contains(ConfigScope.GLOBAL)) {
      return "top level";
    }
    if (key.inherits() != null) {
      return "`" + key.inherits().yamlName() + "`";
    }
    String text = key.defaultText();
    if (text == null) {
      return "none";
    }
    return "`" + (key.type().isList() ? "[" + text + "]" : text) + "`";
  }

  private static String change(ConfigKey key) {
    return key.isReloadable() ? "reload" : "restart";
  }
}
