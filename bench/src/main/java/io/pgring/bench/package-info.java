/**
 * Whole-system measurements and long checks: programs that start PostgreSQL, PgBouncer and pgring,
 * load them with pgbench and compare. This package is the command line; everything here runs on the
 * main thread and may allocate, block and print.
 */
package io.pgring.bench;
