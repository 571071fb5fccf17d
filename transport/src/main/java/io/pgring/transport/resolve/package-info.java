/**
 * Names of servers: looked up again and again by one agent on a thread of its own, because a lookup
 * can block for many seconds; read by everybody else without waiting.
 */
package io.pgring.transport.resolve;
