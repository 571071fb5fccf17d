package io.pgring.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class StraceSummaryTest {
  private static final List<String> TABLE =
      """
      % time     seconds  usecs/call     calls    errors syscall
      ------ ----------- ----------- --------- --------- ----------------
       60.12    0.601200          12      4000       250 recvfrom
       30.00    0.300000          10      3000           sendto
        5.00    0.050000           5      1000         1 read
        3.00    0.030000           5       500           writev
        1.88    0.018800           2      2000           epoll_wait
      ------ ----------- ----------- --------- --------- ----------------
      100.00    1.000000           9     10500       251 total
      """
          .lines()
          .toList();

  @Test
  void readsTheTable() {
    StraceSummary summary = StraceSummary.parse(TABLE);
    assertThat(summary.calls())
        .isEqualTo(
            Map.of(
                "recvfrom",
                4000L,
                "sendto",
                3000L,
                "read",
                1000L,
                "writev",
                500L,
                "epoll_wait",
                2000L));
    assertThat(summary.reads()).isEqualTo(5_000);
    assertThat(summary.writes()).isEqualTo(3_500);
  }

  @Test
  void subtractsTheShorterRun() {
    StraceSummary shorter = new StraceSummary(Map.of("read", 10L, "accept4", 5L));
    StraceSummary longer = new StraceSummary(Map.of("read", 110L, "accept4", 5L, "write", 7L));
    assertThat(shorter.growthTo(longer).calls())
        .isEqualTo(Map.of("read", 100L, "accept4", 0L, "write", 7L));
  }

  @Test
  void readsNothingFromNothing() {
    assertThat(StraceSummary.parse(List.of("", "strace: Process 7 attached")).calls()).isEmpty();
  }
}
