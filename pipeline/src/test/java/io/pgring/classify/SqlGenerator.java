package io.pgring.classify;

import java.util.Random;

/**
 * Writes texts full of quotes, comments and semicolons, the same ones for the same seed. Some are
 * valid, some are not.
 */
final class SqlGenerator {
  private static final String[] QUOTED = {
    "'", "''", "\\", "\\'", "\\\\", "\"", "\"\"", "$$", "$a$", "$", ";", "--", "/*", "*/", "\n",
    " ", "a", "E'", "é", "(", ")"
  };
  private static final String[] GAPS = {
    " ",
    "\n",
    "\t",
    "  ",
    "/**/",
    "/* ; ' \" $$ */",
    "/* /* ; */ -- */",
    "-- ; '\n",
    "--\"\r",
    " -- $a$\n ",
    "/*/**/*/"
  };
  private static final String[] FRAGMENTS = {
    "SELECT",
    "1",
    "a",
    "'",
    "''",
    "E'",
    "B'",
    "X'",
    "U&'",
    "U&\"",
    "\"",
    "$$",
    "$a$",
    "$1",
    "$",
    "\\",
    ";",
    "(",
    ")",
    "--",
    "/*",
    "*/",
    "\n",
    " ",
    "+",
    "-",
    "*",
    "/",
    "@",
    "=",
    "<",
    ">",
    ":",
    "::",
    ":=",
    ".",
    "..",
    "e",
    "1e",
    "1.",
    "é",
    "a$",
    "_",
    "0x",
    "COPY",
    "FROM",
    "STDIN",
    "BEGIN",
    "ATOMIC",
    "END",
    "CREATE",
    "FUNCTION",
    ",",
    "[",
    "]"
  };
  private static final String[] OPERATORS = {
    "+", "-", "*", "/", "||", "@>", "=", "<>", "@-", "~", "->", "<=", "!="
  };

  private final Random random;

  SqlGenerator(long seed) {
    random = new Random(seed);
  }

  /** Fragments in any order. */
  String noise() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(14); i >= 0; i--) {
      text.append(pick(FRAGMENTS));
    }
    return text.toString();
  }

  /** Statements that are valid but for what the quoted parts may break. */
  String statements() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      statement(text);
      gap(text);
      text.append(i > 0 || random.nextBoolean() ? ";" : "");
      gap(text);
    }
    return text.toString();
  }

  private void statement(StringBuilder text) {
    switch (random.nextInt(8)) {
      case 0:
        text.append("COPY t FROM").append(gapped()).append("STDIN");
        break;
      case 1:
        text.append("DELETE FROM t WHERE ");
        expression(text, 2);
        break;
      case 2:
        text.append("CREATE FUNCTION f() RETURNS int BEGIN")
            .append(gapped())
            .append("ATOMIC SELECT ");
        expression(text, 1);
        text.append(random.nextBoolean() ? " END;" : ";").append(gapped()).append("END");
        break;
      case 3:
        text.append("WITH a AS (SELECT ");
        expression(text, 1);
        text.append(") UPDATE t SET b = ");
        expression(text, 1);
        break;
      default:
        text.append("SELECT ");
        for (int i = random.nextInt(3); i >= 0; i--) {
          expression(text, 2);
          text.append(i > 0 ? "," : "");
        }
        break;
    }
  }

  private void expression(StringBuilder text, int depth) {
    gap(text);
    int choice = random.nextInt(depth > 0 ? 12 : 9);
    if (choice < 9) {
      constant(text, choice);
    } else if (choice == 9) {
      text.append('(');
      expression(text, depth - 1);
      text.append(')');
    } else {
      expression(text, depth - 1);
      text.append(random.nextBoolean() ? " " : "").append(pick(OPERATORS));
      expression(text, depth - 1);
    }
    gap(text);
  }

  private void constant(StringBuilder text, int choice) {
    switch (choice) {
      case 0:
        text.append('\'').append(quoted().replace("'", "''")).append('\'');
        break;
      case 1:
        text.append("E'").append(quoted().replace("\\", "\\\\").replace("'", "\\'")).append('\'');
        break;
      case 2:
        text.append("$x$").append(quoted()).append("$x$");
        break;
      case 3:
        text.append("U&'").append(quoted().replace("\\", "").replace("'", "''")).append('\'');
        break;
      case 4:
        text.append('"').append(quoted().replace("\"", "\"\"")).append("_\"");
        break;
      case 5:
        text.append("'a'")
            .append(gapped())
            .append("\n'")
            .append(quoted().replace("'", "''"))
            .append('\'');
        break;
      case 6:
        text.append("$$").append(quoted()).append("$$");
        break;
      case 7:
        text.append('\'').append(quoted()).append('\'');
        break;
      default:
        text.append(random.nextInt(100)).append(random.nextBoolean() ? ".5e-3" : "");
        break;
    }
  }

  private String quoted() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(pick(QUOTED));
    }
    return text.toString();
  }

  private void gap(StringBuilder text) {
    if (random.nextInt(4) == 0) {
      text.append(pick(GAPS));
    }
  }

  private String gapped() {
    return pick(GAPS);
  }

  private String pick(String[] from) {
    return from[random.nextInt(from.length)];
  }
}
