/**
 * Sockets, addresses and off-heap byte memory: everything that moves bytes and knows nothing of
 * SQL.
 */
package io.pgring.transport;
