/**
 * The long checks: conditions that take too long, or too much of a machine, for the ordinary suite.
 * {@link io.pgring.bench.verify.LongChecks} lists them; each is one class.
 */
package io.pgring.bench.verify;
