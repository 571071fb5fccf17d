package io.pgring.bench.trace;

import io.pgring.bench.pgbench.Account;
import io.pgring.bench.pgbench.Endpoint;

/**
 * The process to look into.
 *
 * @param endpoint where it listens; exactly one process
 * @param account as whom pgbench connects
 */
record Target(Endpoint endpoint, Account account) {}
