package io.pgring.bench.ratio;

import io.pgring.bench.ratio.Rounds.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results of one case as text and as a record. The reference is the first endpoint; every
 * endpoint that is neither it nor a PgBouncer is also compared with the fastest PgBouncer.
 */
final class CaseReport {
  private final RatioCase ratioCase;
  private final Rounds rounds;
  private final String reference;
  private final List<Comparison> comparisons = new ArrayList<>();

  /**
   * @param ratioCase what was run
   * @param rounds its samples
   * @param pgBouncers which of the endpoints are PgBouncers
   */
  CaseReport(RatioCase ratioCase, Rounds rounds, List<String> pgBouncers) {
    this.ratioCase = ratioCase;
    this.rounds = rounds;
    this.reference = rounds.endpoints().get(0);
    for (String endpoint : rounds.endpoints()) {
      if (!endpoint.equals(reference)) {
        comparisons.add(rounds.compare(endpoint, reference));
      }
    }
    rounds
        .best(pgBouncers)
        .filter(best -> !best.equals(reference))
        .ifPresent(
            best ->
                rounds.endpoints().stream()
                    .filter(name -> !name.equals(reference) && !pgBouncers.contains(name))
                    .forEach(name -> comparisons.add(rounds.compare(name, best))));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(ratioCase.title()).append('\n');
    text.append(
        line(
            "%-14s %10s  %-22s %10s %9s",
            "", "tps", "/" + reference + " (lower quartile)", "CPU us/tx", "p99 ms"));
    for (String endpoint : rounds.endpoints()) {
      double cpu = rounds.median(endpoint, Sample::cpuMicros);
      text.append(
          line(
              "%-14s %10.0f  %-22s %10s %9.2f",
              endpoint,
              rounds.median(endpoint, Sample::tps),
              againstReference(endpoint),
              Double.isNaN(cpu) ? "-" : String.format(Locale.ROOT, "%.1f", cpu),
              rounds.median(endpoint, Sample::p99Millis)));
    }
    for (Comparison comparison : comparisons) {
      if (!comparison.reference().equals(reference)) {
        text.append(
            line(
                "%s / %s, the fastest PgBouncer: tps %.2f (lower quartile %.2f), CPU %.2f, p99 %.2f",
                comparison.subject(),
                comparison.reference(),
                comparison.tps(),
                comparison.tpsLowerQuartile(),
                comparison.cpu(),
                comparison.p99()));
      }
    }
    return text.toString();
  }

  Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("mode", ratioCase.mode().label());
    figures.put("protocol", ratioCase.protocol().label());
    figures.put("clients", ratioCase.clients());
    figures.put("endpoints", rounds.endpoints().stream().map(this::endpointFigures).toList());
    figures.put("comparisons", comparisons.stream().map(CaseReport::comparisonFigures).toList());
    return figures;
  }

  private Map<String, Object> endpointFigures(String endpoint) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("name", endpoint);
    figures.put("tps", rounds.median(endpoint, Sample::tps));
    figures.put("cpu_us", rounds.median(endpoint, Sample::cpuMicros));
    figures.put("p99_ms", rounds.median(endpoint, Sample::p99Millis));
    return figures;
  }

  private static Map<String, Object> comparisonFigures(Comparison comparison) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("subject", comparison.subject());
    figures.put("reference", comparison.reference());
    figures.put("tps", comparison.tps());
    figures.put("tps_lower_quartile", comparison.tpsLowerQuartile());
    figures.put("cpu", comparison.cpu());
    figures.put("p99", comparison.p99());
    return figures;
  }

  private String againstReference(String endpoint) {
    return comparisons.stream()
        .filter(comparison -> comparison.subject().equals(endpoint))
        .filter(comparison -> comparison.reference().equals(reference))
        .map(
            comparison ->
                String.format(
                    Locale.ROOT, "%.2f (%.2f)", comparison.tps(), comparison.tpsLowerQuartile()))
        .findFirst()
        .orElse("1");
  }

  private static String line(String format, Object... arguments) {
    return "  " + String.format(Locale.ROOT, format, arguments) + "\n";
  }
}
