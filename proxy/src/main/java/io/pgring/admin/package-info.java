/**
 * The administration console: what PgBouncer's operators know as the database {@code pgbouncer}.
 * Sessions run on the relay thread of their lane; what needs other lanes is asked for by messages
 * to them and answered later, so that no lane ever waits for another.
 */
package io.pgring.admin;
