/**
 * What is known of a password: the configured secret, SCRAM verifiers and keys, and the hashing
 * that leads from one to the other. Key material does not leave this package; callers ask for
 * proofs, signatures and comparisons.
 *
 * <p>Everything here is immutable or thread-safe. PBKDF2 takes milliseconds: {@link
 * io.pgring.login.secret.Secret#prepare()} and each method named {@code deriveKeys} run off the
 * lanes.
 */
package io.pgring.login.secret;
