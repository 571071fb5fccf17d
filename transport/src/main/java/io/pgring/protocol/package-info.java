/**
 * The PostgreSQL frontend/backend protocol, versions 3.0 and 3.2: type bytes, encoders for whole
 * messages, and the pieces message layouts are made of.
 *
 * <p>The readers are in the packages below: {@code startup} for what is said before the first
 * ReadyForQuery, {@code frontend} and {@code backend} for what each side says after it. Nothing
 * here does I/O, keeps state between messages, allocates or throws because of what a peer sent: a
 * malformed message is a flyweight whose {@code valid()} is false. Every access is big-endian. A
 * flyweight belongs to the one thread that made it; the encoders are static and may be called from
 * any thread.
 *
 * <p>Source: PostgreSQL documentation, chapter "Frontend/Backend Protocol", section "Message
 * Formats".
 */
package io.pgring.protocol;
