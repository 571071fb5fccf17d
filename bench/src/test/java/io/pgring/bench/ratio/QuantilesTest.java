package io.pgring.bench.ratio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class QuantilesTest {
  @Test
  void takesTheMiddle() {
    assertThat(Quantiles.median(3, 1, 2)).isEqualTo(2);
    assertThat(Quantiles.median(4, 1, 2, 3)).isEqualTo(2.5);
    assertThat(Quantiles.median(7)).isEqualTo(7);
  }

  @Test
  void interpolatesQuartiles() {
    assertThat(Quantiles.lowerQuartile(5, 4, 3, 2, 1)).isEqualTo(2);
    assertThat(Quantiles.lowerQuartile(1, 2, 3, 4)).isEqualTo(1.75);
    assertThat(Quantiles.quantile(0, 3, 1, 2)).isEqualTo(1);
    assertThat(Quantiles.quantile(1, 3, 1, 2)).isEqualTo(3);
  }

  @Test
  void knowsNothingOfNothing() {
    assertThat(Quantiles.median()).isNaN();
    assertThat(Quantiles.median(1, Double.NaN, 2)).isNaN();
  }

  @Test
  void leavesTheSampleAsItWas() {
    double[] sample = {3, 1, 2};
    assertThat(Quantiles.median(sample)).isEqualTo(2);
    assertThat(sample).containsExactly(3, 1, 2);
  }
}
