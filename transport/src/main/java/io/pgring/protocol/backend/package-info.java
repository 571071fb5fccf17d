/**
 * Readers of the messages a server sends after the login, one class for each layout; messages
 * without a body need none, and CopyData is its body.
 *
 * <p>A flyweight is laid over one complete message and answers offsets and lengths in the same
 * buffer, never copies. It belongs to one thread, stays valid until the bytes are released or it is
 * wrapped again, and checks the layout in {@code wrap}; only when {@code valid()} is true do the
 * other methods have a meaning. It does not look at the type byte: the caller dispatched on it.
 */
package io.pgring.protocol.backend;
