/**
 * What pgring knows about one client: login phase, what it waits for, its prepared statements,
 * bytes its socket has not taken yet. State only, no sockets; confined to the thread that runs
 * relay.
 */
package io.pgring.session;
