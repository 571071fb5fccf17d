package io.pgring.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class CollapsedStacksTest {
  @Test
  void ranksFramesByTheirOwnSamplesAndCountsRecursionOnce() {
    CollapsedStacks stacks =
        CollapsedStacks.parse(List.of("main;loop;read 60", "main;loop;loop 30", "main 10", ""));
    assertThat(stacks.samples()).isEqualTo(100);
    assertThat(stacks.topTable(2))
        .isEqualTo(
            """
            | self % | with callees % | frame |
            |---:|---:|---|
            | 60.0 | 60.0 | `read` |
            | 30.0 | 90.0 | `loop` |
            """);
  }

  @Test
  void readsFramesWithSpaces() {
    assertThat(CollapsedStacks.parse(List.of("a;operator new 3")).topTable(1))
        .contains("`operator new`");
  }

  @Test
  void sumsTheCollectionsOfAllCollectors() {
    String counters =
        """
        sun.gc.cause="No GC"
        sun.gc.collector.0.invocations=3
        sun.gc.collector.0.name="PSScavenge"
        sun.gc.collector.1.invocations=2
        """;
    assertThat(GcCommand.invocations(counters)).isEqualTo(5);
  }
}
