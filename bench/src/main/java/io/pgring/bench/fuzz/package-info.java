/**
 * Hostile clients: conversations of a real driver, recorded and then damaged at random. Every case
 * follows from one number, so that a failure can be repeated.
 */
package io.pgring.bench.fuzz;
