package io.pgring.login.secret;

import java.security.MessageDigest;

/**
 * The keys that log in by SCRAM-SHA-256 (RFC 5802 section 3): ClientKey and ServerKey for one salt
 * and iteration count. They come from a password, or from a client's proof, and then serve only a
 * server whose verifier has the same salt, iteration count and keys. Immutable; any thread.
 */
public final class ScramKeys {
  private final byte[] clientKey;
  private final byte[] serverKey;
  private final byte[] salt;
  private final int iterations;

  ScramKeys(byte[] clientKey, byte[] serverKey, byte[] salt, int iterations) {
    this.clientKey = clientKey;
    this.serverKey = serverKey;
    this.salt = salt;
    this.iterations = iterations;
  }

  /**
   * Computes the keys of a password, which is prepared as PostgreSQL does it. Takes about a
   * millisecond for each thousand iterations: not for a lane.
   *
   * @throws IllegalArgumentException if the password is empty
   */
  public static ScramKeys deriveKeys(byte[] password, byte[] salt, int iterations) {
    byte[] salted = Hashing.saltedPassword(PasswordPreparation.prepare(password), salt, iterations);
    return new ScramKeys(
        Hashing.hmac(salted, "Client Key"),
        Hashing.hmac(salted, "Server Key"),
        salt.clone(),
        iterations);
  }

  /** Whether these keys belong to that salt and iteration count. */
  public boolean fits(byte[] otherSalt, int otherIterations) {
    return iterations == otherIterations && MessageDigest.isEqual(salt, otherSalt);
  }

  /** ClientProof: what the client sends to show that it has the keys; 32 bytes. */
  public byte[] proof(byte[] authMessage) {
    return Hashing.xor(clientKey, Hashing.hmac(Hashing.sha256(clientKey), authMessage));
  }

  /** Whether the signature is that of a server which knows ServerKey. Compares in constant time. */
  public boolean isServerSignature(byte[] authMessage, byte[] signature) {
    return MessageDigest.isEqual(Hashing.hmac(serverKey, authMessage), signature);
  }

  /** What a server stores for these keys. */
  public ScramVerifier verifier() {
    return new ScramVerifier(Hashing.sha256(clientKey), serverKey, salt, iterations);
  }

  /** Names the type only: the keys are as good as the password. */
  @Override
  public String toString() {
    return "ScramKeys";
  }
}
