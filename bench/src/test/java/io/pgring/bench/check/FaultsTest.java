package io.pgring.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class FaultsTest {
  @Test
  void findsFaultsAmongOrdinaryLines() {
    String log =
        """
        2026-03-01 10:15:00.123 [lane] WARN C-1: (nodb)/(nouser)@127.0.0.1:1 pooler error: invalid
        2026-03-01 10:15:00.124 [lane] ERROR unexpected fault, the work at hand was given up
        java.lang.IndexOutOfBoundsException: 7
        \tat io.pgring.relay.Somewhere.doWork(Somewhere.java:1)
        """;
    assertThat(Faults.in(log)).hasSize(3).noneMatch(line -> line.contains("pooler error"));
  }
}
