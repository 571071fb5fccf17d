/**
 * The doors: listening sockets and the agent that accepts clients on them. Everything here runs on
 * the acceptor's thread, except that listeners are opened by the starting one.
 */
package io.pgring.transport.accept;
