package io.pgring.bench.ratio;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.fixture.PgBouncer;
import io.pgring.bench.fixture.Sql;
import io.pgring.bench.fixture.Stand;
import io.pgring.bench.fixture.StandOptions;
import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;
import io.pgring.bench.pgbench.Protocol;
import io.pgring.bench.process.Workbench;
import io.pgring.bench.report.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who takes part in a comparison.
 *
 * @param account as whom pgbench connects
 * @param endpoints the contenders; the first is the reference
 * @param pgBouncer the PgBouncer that was started, if one was
 * @param settings those of the reference's server
 */
record Contenders(
    Account account,
    List<Endpoint> endpoints,
    Optional<PgBouncer.Installed> pgBouncer,
    Map<String, Object> settings) {

  /** Endpoints that run already. */
  static Contenders given(Workbench workbench, StandOptions options, List<String> texts) {
    List<Endpoint> endpoints = texts.stream().map(Endpoint::parse).toList();
    if (endpoints.stream().map(Endpoint::name).distinct().count() != endpoints.size()) {
      throw new BenchFailure("two endpoints have the same name");
    }
    Account account = options.foreignAccount();
    Map<String, Object> settings = settings(new Sql(workbench, account), endpoints.get(0));
    return new Contenders(account, endpoints, Optional.empty(), settings);
  }

  /** Starts a server and what is to stand in front of it. */
  static Contenders started(
      Workbench workbench, StandOptions options, List<String> kinds, List<Integer> pools) {
    if (kinds.isEmpty() || !Set.of("direct", "pgbouncer", "pgring").containsAll(kinds)) {
      throw new BenchFailure("--only takes direct, pgbouncer and pgring, not " + kinds);
    }
    Stand stand = Stand.start(workbench, options);
    Optional<PgBouncer.Installed> pgBouncer =
        kinds.contains("pgbouncer") ? PgBouncer.installed(workbench) : Optional.empty();
    List<Endpoint> endpoints = new ArrayList<>();
    for (String kind : kinds) {
      switch (kind) {
        case "direct" -> endpoints.add(stand.server().endpoint());
        case "pgring" -> endpoints.add(stand.pgring(List.of()).endpoint());
        default ->
            pgBouncer.ifPresent(
                installed ->
                    pools.forEach(
                        size -> endpoints.add(stand.pgBouncer(installed, size).endpoint())));
      }
    }
    if (kinds.contains("pgbouncer") && pgBouncer.isEmpty()) {
      System.out.println("PgBouncer is not installed (package pgbouncer): left out");
    }
    Map<String, Object> settings =
        settings(new Sql(workbench, stand.account()), stand.server().endpoint());
    return new Contenders(stand.account(), endpoints, pgBouncer, settings);
  }

  /** Those that understand a protocol: an old PgBouncer has no named statements. */
  List<Endpoint> able(Protocol protocol) {
    boolean prepares = pgBouncer.map(PgBouncer.Installed::prepared).orElse(true);
    return endpoints.stream()
        .filter(endpoint -> protocol != Protocol.PREPARED || prepares || !endpoint.pgBouncer())
        .toList();
  }

  /** The PgBouncer's name, version and mode, for people. */
  String pgBouncerText() {
    return pgBouncer
        .map(installed -> installed.text() + ", transaction mode")
        .orElse("none started");
  }

  private static Map<String, Object> settings(Sql sql, Endpoint server) {
    return ServerSettings.parse(sql.query(server, ServerSettings.statement()));
  }
}
