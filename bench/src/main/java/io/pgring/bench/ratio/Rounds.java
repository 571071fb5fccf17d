package io.pgring.bench.ratio;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * All samples of one case, a list for each endpoint with its rounds in order. Filled and read on
 * the main thread.
 */
final class Rounds {
  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

  /**
   * One endpoint against another, round by round.
   *
   * @param subject the one that is judged
   * @param reference the one it is judged by
   * @param tps median of the ratios of tps
   * @param tpsLowerQuartile lower quartile of the same
   * @param cpu median of the ratios of processor time per transaction; NaN without either
   * @param p99 median of the ratios of the 99th percentile
   */
  record Comparison(
      String subject,
      String reference,
      double tps,
      double tpsLowerQuartile,
      double cpu,
      double p99) {}

  void add(String endpoint, Sample sample) {
    samples.computeIfAbsent(endpoint, name -> new ArrayList<>()).add(sample);
  }

  /** The endpoints that have samples, in the order in which they came. */
  List<String> endpoints() {
    return List.copyOf(samples.keySet());
  }

  double median(String endpoint, ToDoubleFunction<Sample> figure) {
    return Quantiles.median(samples.get(endpoint).stream().mapToDouble(figure).toArray());
  }

  /** The endpoint with the highest median of tps among some; empty when none of them was run. */
  Optional<String> best(List<String> candidates) {
    return candidates.stream()
        .filter(samples::containsKey)
        .max(Comparator.comparingDouble(endpoint -> median(endpoint, Sample::tps)));
  }

  Comparison compare(String subject, String reference) {
    double[] tps = ratios(subject, reference, Sample::tps);
    return new Comparison(
        subject,
        reference,
        Quantiles.median(tps),
        Quantiles.lowerQuartile(tps),
        Quantiles.median(ratios(subject, reference, Sample::cpuMicros)),
        Quantiles.median(ratios(subject, reference, Sample::p99Millis)));
  }

  private double[] ratios(String subject, String reference, ToDoubleFunction<Sample> figure) {
    List<Sample> mine = samples.get(subject);
    List<Sample> others = samples.get(reference);
    double[] ratios = new double[Math.min(mine.size(), others.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(mine.get(i)) / figure.applyAsDouble(others.get(i));
    }
    return ratios;
  }
}
