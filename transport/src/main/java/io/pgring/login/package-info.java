/**
 * The authentication exchanges as state machines: {@link io.pgring.login.ClientLogin} for a client
 * that logs in here, {@link io.pgring.login.ServerLogin} for a login to PostgreSQL. No sockets, no
 * threads: bytes of one message in, the next step and its bytes out.
 *
 * <p>One object per login, used by one lane at a time and dropped when the login ends. PBKDF2 is
 * the exception: a step {@code NEEDS_KEY_DERIVATION} asks for {@code deriveKeys()} on another
 * thread, then {@code resume()} back on the lane; whatever carries the login from one to the other
 * and back must order their memory accesses, as a queue does. Whatever a peer sends, no method
 * throws: malformed input is a failure with its SQLSTATE.
 */
package io.pgring.login;
