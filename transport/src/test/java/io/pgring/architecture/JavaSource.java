package io.pgring.architecture;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One main source file without its comments and literals, so that words in Javadoc and messages are
 * not taken for code. Immutable.
 *
 * @param module the directory of its module
 * @param name the file, relative to the root of the repository
 * @param code the text that is left
 */
record JavaSource(String module, String name, String code) {
  private static final Pattern COMMENT_OR_LITERAL =
      Pattern.compile(
          "//[^\n]*|/\\*.*?\\*/|\"\"\".*?(?<!\\\\)\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*+\"|'(?:[^'\\\\\n]|\\\\.)++'",
          Pattern.DOTALL);
  private static final Pattern PACKAGE = Pattern.compile("\\bpackage\\s+([\\w.]+)\\s*;");
  private static final Pattern PACKAGE_NAME = Pattern.compile("\\bio\\.pgring(?:\\.[a-z]\\w*)*");

  static JavaSource of(String module, String name, String text) {
    return new JavaSource(module, name, COMMENT_OR_LITERAL.matcher(text).replaceAll(" "));
  }

  /** The package it declares; empty if it declares none. */
  String packageName() {
    Matcher matcher = PACKAGE.matcher(code);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** The pgring packages it imports or names, other than its own. */
  Set<String> packagesUsed() {
    Set<String> used = new TreeSet<>();
    PACKAGE_NAME.matcher(code).results().forEach(result -> used.add(result.group()));
    used.remove(packageName());
    return used;
  }

  /** Whether its package is the given one or lies below it. */
  boolean isIn(String ancestor) {
    return (packageName() + ".").startsWith(ancestor + ".");
  }
}
