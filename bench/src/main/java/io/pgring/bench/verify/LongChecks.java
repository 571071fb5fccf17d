package io.pgring.bench.verify;

import io.pgring.bench.check.LongCheck;
import io.pgring.bench.fuzz.FuzzCheck;
import java.util.List;
import java.util.Optional;

/** All long checks, in the order in which they are listed. A new one is added here. */
final class LongChecks {
  private static final List<LongCheck> ALL =
      List.of(
          new IdleCheck(),
          new TermCheck(),
          new CrowdCheck(),
          new KillCheck(),
          new StallCheck(),
          new FuzzCheck(),
          new SoakCheck());

  private LongChecks() {}

  static List<LongCheck> all() {
    return ALL;
  }

  static Optional<LongCheck> named(String name) {
    return ALL.stream().filter(check -> check.name().equals(name)).findFirst();
  }
}
