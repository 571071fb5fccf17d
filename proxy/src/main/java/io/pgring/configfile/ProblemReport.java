package io.pgring.configfile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects the problems of one file while it is read. */
final class ProblemReport {
  private final String source;
  private final List<Problem> problems = new ArrayList<>();

  ProblemReport(String source) {
    this.source = source;
  }

  void error(Node node, String key, String wrong, String cure) {
    add(true, node.getStartMark(), key, wrong, cure);
  }

  void error(Mark mark, String wrong, String cure) {
    add(true, mark, "", wrong, cure);
  }

  void error(String wrong, String cure) {
    problems.add(new Problem(true, source, 0, 0, "", wrong, cure));
  }

  void warning(Node node, String key, String wrong, String cure) {
    add(false, node.getStartMark(), key, wrong, cure);
  }

  void warning(String wrong, String cure) {
    problems.add(new Problem(false, source, 0, 0, "", wrong, cure));
  }

  boolean hasErrors() {
    return problems.stream().anyMatch(Problem::isError);
  }

  /** In the order of the file. */
  List<Problem> problems() {
    return problems.stream()
        .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
        .toList();
  }

  private void add(boolean isError, Mark mark, String key, String wrong, String cure) {
    int line = mark.getLine() + 1;
    int column = mark.getColumn() + 1;
    problems.add(new Problem(isError, source, line, column, key, wrong, cure));
  }
}
