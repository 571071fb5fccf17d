/**
 * A client of protocol 3.0 that the checks steer message by message: a blocking one, and a crowd of
 * thousands on one thread. What a driver never does (not to read, to send half a message, to
 * vanish) is done here.
 */
package io.pgring.bench.wire;
