package io.pgring.jmh;

import io.pgring.pool.ResponseLedger;
import io.pgring.protocol.BackendMessage;
import org.openjdk.jmh.annotations.Benchmark;

/** The bookkeeping of one execution of a prepared statement: Bind, Execute and Sync. */
public class LedgerBenchmark extends HotPathBenchmark {
  private final ResponseLedger ledger = new ResponseLedger((kind, statement, name) -> {});

  /** Notes what is sent and matches what the server answers: one row. */
  @Benchmark
  public int preparedExecution() {
    ledger.push(ResponseLedger.BIND, ResponseLedger.FORWARD);
    ledger.push(ResponseLedger.EXECUTE, ResponseLedger.FORWARD);
    ledger.push(ResponseLedger.SYNC, ResponseLedger.FORWARD);
    int dispositions = ledger.onMessage(BackendMessage.BIND_COMPLETE);
    dispositions += ledger.onMessage(BackendMessage.DATA_ROW);
    dispositions += ledger.onMessage(BackendMessage.COMMAND_COMPLETE);
    dispositions += ledger.onMessage(BackendMessage.READY_FOR_QUERY);
    return dispositions;
  }
}
