package io.pgring.bench.ratio;

import java.util.Arrays;

/** Quantiles of small samples, interpolated linearly between neighbours. Stateless. */
public final class Quantiles {
  private Quantiles() {}

  /**
   * @param values the sample, in any order
   * @return the one in the middle; NaN as in {@link #quantile}
   */
  public static double median(double... values) {
    return quantile(0.5, values);
  }

  /**
   * @param values the sample, in any order
   * @return what a quarter of them is below; NaN as in {@link #quantile}
   */
  public static double lowerQuartile(double... values) {
    return quantile(0.25, values);
  }

  /**
   * @param fraction 0 for the smallest, 1 for the largest
   * @param values the sample, in any order
   * @return the quantile; NaN when the sample is empty or holds a NaN
   */
  public static double quantile(double fraction, double... values) {
    if (values.length == 0 || Arrays.stream(values).anyMatch(Double::isNaN)) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double position = fraction * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
