package io.pgring.pool;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits taken and returned by several threads: as if one did it after the other. */
@Timeout(180)
public class PermitsInterleavingsTest {
  private final Permits permits = new Permits(2);

  @Operation
  public boolean tryAcquire() {
    return permits.tryAcquire();
  }

  @Operation
  public boolean tryAcquireReserve() {
    return permits.tryAcquire(1);
  }

  @Operation
  public void release() {
    permits.release();
  }

  @Operation
  public int used() {
    return permits.used();
  }

  @Test
  void areNeverMoreThanTheLimit() {
    new ModelCheckingOptions()
        .threads(3)
        .actorsPerThread(2)
        .iterations(15)
        .invocationsPerIteration(500)
        .check(PermitsInterleavingsTest.class);
  }
}
