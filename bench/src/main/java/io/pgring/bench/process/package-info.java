/**
 * Other programs: finding, starting, timing and stopping them. Nothing started through a {@link
 * io.pgring.bench.process.Workbench} outlives it, also when the run is interrupted. No shell is
 * involved: commands are lists of arguments.
 */
package io.pgring.bench.process;
