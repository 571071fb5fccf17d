/** Running pgbench and reading what it prints and logs. */
package io.pgring.bench.pgbench;
