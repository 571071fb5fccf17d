package io.pgring.bench.ratio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class RotationTest {
  private static final List<String> ITEMS = List.of("a", "b", "c");

  @Test
  void startsOnePlaceFurtherAndTurnsBackEverySecondCycle() {
    assertThat(
            IntStream.range(0, 7).mapToObj(round -> String.join("", Rotation.order(ITEMS, round))))
        .containsExactly("abc", "bca", "cab", "cba", "acb", "bac", "abc");
  }

  @Test
  void givesEachItemEachPlaceEquallyOften() {
    for (String item : ITEMS) {
      assertThat(IntStream.range(0, 6).map(round -> Rotation.order(ITEMS, round).indexOf(item)))
          .containsExactlyInAnyOrder(0, 0, 1, 1, 2, 2);
    }
  }

  @Test
  void copesWithFewItems() {
    assertThat(Rotation.order(List.of(), 3)).isEmpty();
    assertThat(Rotation.order(List.of("a"), 3)).containsExactly("a");
  }
}
