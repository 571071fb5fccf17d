/**
 * Server connections and the pools that hold them: who may have one, who waits, what each still
 * owes an answer to. State only; the sockets are worked by relay, on whose thread everything here
 * lives except {@link io.pgring.pool.Permits}, which all lanes share.
 */
package io.pgring.pool;
