package io.pgring.testkit.wire;

import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.extended;
import static io.pgring.testkit.wire.FrontendMessages.query;
import static io.pgring.testkit.wire.FrontendMessages.sync;

/** The two ways to run a statement. */
public enum QueryProtocol {
  SIMPLE,
  EXTENDED;

  /** A whole request that is answered with one ReadyForQuery. */
  public byte[] request(String sql) {
    return this == SIMPLE ? query(sql) : concat(extended(sql), sync());
  }

  /** What precedes the rows in the answer to {@link #request}, in the short notation. */
  public String head() {
    return this == SIMPLE ? "T " : "1 2 ";
  }
}
