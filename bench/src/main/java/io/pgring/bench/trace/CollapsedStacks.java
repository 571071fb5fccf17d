package io.pgring.bench.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Stacks in collapsed form, a line each: frames from the outermost to the innermost, separated by
 * semicolons, a space, and the samples. Immutable.
 */
final class CollapsedStacks {
  private final Map<String, Long> self = new HashMap<>();
  private final Map<String, Long> total = new HashMap<>();
  private long samples;

  private CollapsedStacks() {}

  static CollapsedStacks parse(List<String> lines) {
    CollapsedStacks stacks = new CollapsedStacks();
    lines.forEach(stacks::add);
    return stacks;
  }

  private void add(String line) {
    int space = line.lastIndexOf(' ');
    if (space < 1) {
      return;
    }
    long count = Long.parseLong(line.substring(space + 1));
    List<String> frames = List.of(line.substring(0, space).split(";"));
    samples += count;
    self.merge(frames.get(frames.size() - 1), count, Long::sum);
    // A recursive frame counts once a stack.
    new HashSet<>(frames).forEach(frame -> total.merge(frame, count, Long::sum));
  }

  long samples() {
    return samples;
  }

  /**
   * The frames with most samples of their own.
   *
   * @param rows how many
   * @return a table in Markdown
   */
  String topTable(int rows) {
    List<String> lines = new ArrayList<>();
    lines.add("| self % | with callees % | frame |");
    lines.add("|---:|---:|---|");
    self.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry::getKey))
        .limit(rows)
        .forEach(
            entry ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "| %.1f | %.1f | `%s` |",
                        percent(entry.getValue()),
                        percent(total.get(entry.getKey())),
                        entry.getKey())));
    return String.join("\n", lines) + "\n";
  }

  private double percent(long count) {
    return 100.0 * count / samples;
  }
}
