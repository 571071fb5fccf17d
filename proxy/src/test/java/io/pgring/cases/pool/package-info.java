/** Scenarios about several clients that share few server connections. */
package io.pgring.cases.pool;
