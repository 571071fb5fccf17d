package io.pgring.bench.trace;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The table that {@code strace -c} writes: calls by name. Immutable.
 *
 * @param calls how often each system call was made, failed ones included
 */
record StraceSummary(Map<String, Long> calls) {
  private static final Set<String> READS =
      Set.of("read", "readv", "recv", "recvfrom", "recvmsg", "recvmmsg");
  private static final Set<String> WRITES =
      Set.of("write", "writev", "send", "sendto", "sendmsg", "sendmmsg");
  private static final int CALLS_FIELD = 3;

  /**
   * Columns: % time, seconds, usecs/call, calls, errors (blank without any), syscall.
   *
   * @param lines strace's output
   * @return the table in it
   */
  static StraceSummary parse(List<String> lines) {
    Map<String, Long> calls = new TreeMap<>();
    for (String line : lines) {
      String[] fields = line.strip().split("\\s+");
      String name = fields[fields.length - 1];
      if (fields.length > CALLS_FIELD + 1
          && fields[CALLS_FIELD].matches("\\d+")
          && !"total".equals(name)) {
        calls.merge(name, Long.parseLong(fields[CALLS_FIELD]), Long::sum);
      }
    }
    return new StraceSummary(calls);
  }

  /** What another summary has more than this one; names that only this one has are left out. */
  StraceSummary growthTo(StraceSummary later) {
    Map<String, Long> growth = new TreeMap<>();
    later.calls.forEach((name, count) -> growth.put(name, count - calls.getOrDefault(name, 0L)));
    return new StraceSummary(growth);
  }

  long reads() {
    return sum(READS);
  }

  long writes() {
    return sum(WRITES);
  }

  private long sum(Set<String> names) {
    return calls.entrySet().stream()
        .filter(entry -> names.contains(entry.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
