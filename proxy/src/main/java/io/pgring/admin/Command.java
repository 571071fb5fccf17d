package io.pgring.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One command as it was written. Immutable.
 *
 * @param verb its first word in capitals
 * @param arguments the other words, names without their quotes
 */
record Command(String verb, List<String> arguments) {
  private static final int SHOWN_CHARACTERS = 80;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s+|--[^\\n]*|/\\*.*?\\*/" // between words
              + "|(?<end>;)"
              + "|\"(?<name>(?:[^\"]|\"\")*)\"|'(?<text>(?:[^']|'')*)'"
              + "|(?<word>(?:(?!/\\*|--)[^\\s;\"'=,])+)|(?<sign>[=,])",
          Pattern.DOTALL);

  /**
   * Splits a text into its commands; empty ones are left out.
   *
   * @throws ConsoleError when a quote or a comment does not end
   */
  static List<Command> parse(String sql) {
    List<Command> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(sql);
    int at = 0;
    while (at < sql.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw new ConsoleError("42601", "syntax error at or near \"" + sql.charAt(at) + "\"", null);
      }
      at = matcher.end();
      if (matcher.group("end") != null) {
        add(commands, words);
      } else if (word(matcher) != null) {
        words.add(word(matcher));
      }
    }
    add(commands, words);
    return commands;
  }

  private static String word(Matcher matcher) {
    if (matcher.group("name") != null) {
      return matcher.group("name").replace("\"\"", "\"");
    }
    if (matcher.group("text") != null) {
      return matcher.group("text").replace("''", "'");
    }
    return matcher.group("word") != null ? matcher.group("word") : matcher.group("sign");
  }

  private static void add(List<Command> commands, List<String> words) {
    if (!words.isEmpty()) {
      String verb = words.get(0).toUpperCase(Locale.ROOT);
      commands.add(new Command(verb, List.copyOf(words.subList(1, words.size()))));
      words.clear();
    }
  }

  /** The only argument, or null when there is none. */
  String optionalArgument() {
    if (arguments.size() > 1) {
      throw new ConsoleError("42601", "too many arguments for " + verb, null);
    }
    return arguments.isEmpty() ? null : arguments.get(0);
  }

  /** As it can be shown in messages: shortened if it is long. */
  @Override
  public String toString() {
    String text = arguments.isEmpty() ? verb : verb + " " + String.join(" ", arguments);
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "...";
  }
}
