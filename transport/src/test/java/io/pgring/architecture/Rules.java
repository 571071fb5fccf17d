package io.pgring.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules. Each takes sources and returns its violations, one sentence each. */
final class Rules {
  /** Which modules the sources of a module may use, besides its own. */
  private static final Map<String, Set<String>> MODULES_BELOW =
      Map.of(
          "transport", Set.of(),
          "pipeline", Set.of("transport"),
          "proxy", Set.of("transport", "pipeline"),
          "bench", Set.of("transport", "pipeline", "proxy"),
          "jmh", Set.of("transport", "pipeline", "proxy"));

  /** Names that say nothing about what a package is for. */
  private static final Set<String> EMPTY_NAMES =
      Set.of("util", "utils", "common", "impl", "manager", "managers", "helper", "helpers", "misc");

  /** Run for every message on a lane's thread. */
  private static final List<String> HOT_PACKAGES =
      List.of(
          "io.pgring.protocol",
          "io.pgring.pipeline",
          "io.pgring.relay",
          "io.pgring.classify",
          "io.pgring.session",
          "io.pgring.pool",
          "io.pgring.firewall",
          "io.pgring.route");

  /** State and decisions: they see bytes, never a socket. */
  private static final List<String> PACKAGES_WITHOUT_IO =
      List.of(
          "io.pgring.protocol",
          "io.pgring.classify",
          "io.pgring.session",
          "io.pgring.firewall",
          "io.pgring.route");

  /**
   * Where cycles are looked for, and the one that is meant: a session knows the server connection
   * it holds, and that connection its session.
   */
  private static final Set<String> ACYCLIC_MODULES = Set.of("transport", "pipeline");

  private static final Map<String, String> ONE_UNIT = Map.of("io.pgring.session", "io.pgring.pool");

  private static final Pattern COLD_CODE =
      Pattern.compile(
          "String\\s*\\.\\s*format\\b|\\.\\s*formatted\\s*\\(|\\.\\s*stream\\s*\\(|java\\.util\\.stream"
              + "|\\bcurrentTimeMillis\\b");
  private static final Pattern SOCKETS = Pattern.compile("java\\.nio\\.channels|java\\.net\\b");

  private Rules() {}

  static List<String> moduleDirection(List<JavaSource> sources) {
    Map<String, String> owners = new TreeMap<>();
    sources.forEach(source -> owners.putIfAbsent(source.packageName(), source.module()));
    List<String> violations = new ArrayList<>();
    for (JavaSource source : sources) {
      Set<String> below = MODULES_BELOW.get(source.module());
      if (below == null) {
        violations.add(source.name() + ": no rule says which modules " + source.module() + " uses");
        continue;
      }
      if (!owners.get(source.packageName()).equals(source.module())) {
        violations.add(
            source.name() + ": package " + source.packageName() + " is also in another module");
      }
      for (String used : source.packagesUsed()) {
        String owner = owners.getOrDefault(used, source.module());
        if (!owner.equals(source.module()) && !below.contains(owner)) {
          violations.add(source.name() + ": uses " + used + ", which is in " + owner);
        }
      }
    }
    return violations;
  }

  static List<String> packageNames(List<JavaSource> sources) {
    return violations(
        sources,
        source -> Stream.of(source.packageName().split("\\.")).anyMatch(EMPTY_NAMES::contains),
        "its package name says nothing");
  }

  static List<String> packageDescriptions(List<JavaSource> sources) {
    Set<String> described = new TreeSet<>();
    Set<String> all = new TreeSet<>();
    for (JavaSource source : sources) {
      all.add(source.packageName());
      if (source.name().endsWith("/package-info.java")) {
        described.add(source.packageName());
      }
    }
    all.removeAll(described);
    return all.stream().map(name -> name + ": has no package-info.java").toList();
  }

  /** Packages that depend on each other, directly or through others, cannot be read one by one. */
  static List<String> packageCycles(List<JavaSource> sources) {
    Map<String, Set<String>> reachable = new TreeMap<>();
    for (JavaSource source : sources) {
      if (ACYCLIC_MODULES.contains(source.module())) {
        String unit = unit(source.packageName());
        Set<String> used = reachable.computeIfAbsent(unit, name -> new TreeSet<>());
        source.packagesUsed().stream()
            .map(Rules::unit)
            .filter(other -> !other.equals(unit))
            .forEach(used::add);
      }
    }
    for (String middle : reachable.keySet()) {
      for (Set<String> targets : reachable.values()) {
        if (targets.contains(middle)) {
          targets.addAll(reachable.get(middle));
        }
      }
    }
    List<String> violations = new ArrayList<>();
    reachable.forEach(
        (name, targets) -> {
          if (targets.contains(name)) {
            Set<String> cycle = new TreeSet<>(targets);
            cycle.removeIf(target -> !reachable.getOrDefault(target, Set.of()).contains(name));
            violations.add(name + ": is in a cycle of packages: " + cycle);
          }
        });
    return violations;
  }

  private static String unit(String packageName) {
    return ONE_UNIT.getOrDefault(packageName, packageName);
  }

  static List<String> hotCode(List<JavaSource> sources) {
    return violationsIn(HOT_PACKAGES, COLD_CODE, sources);
  }

  static List<String> codeWithoutIo(List<JavaSource> sources) {
    return violationsIn(PACKAGES_WITHOUT_IO, SOCKETS, sources);
  }

  private static List<String> violationsIn(
      List<String> packages, Pattern banned, List<JavaSource> sources) {
    List<String> violations = new ArrayList<>();
    for (JavaSource source : sources) {
      Matcher matcher = banned.matcher(source.code());
      if (packages.stream().anyMatch(source::isIn) && matcher.find()) {
        violations.add(source.name() + ": uses " + matcher.group());
      }
    }
    return violations;
  }

  private static List<String> violations(
      List<JavaSource> sources, Predicate<JavaSource> banned, String reason) {
    return sources.stream().filter(banned).map(source -> source.name() + ": " + reason).toList();
  }
}
