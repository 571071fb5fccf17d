package io.pgring.login.secret;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Verifiers and hashes for users who have none, so that a client cannot tell by the SCRAM exchange
 * who exists. One per process; immutable, any thread. A name has the same salt for the life of the
 * process, as a real user would, and its keys fit no password.
 */
public final class MockSalts {
  private final byte[] processKey = new byte[Hashing.KEY_LENGTH_BYTES];

  /** Draws the key that all salts of this process are made with. */
  public MockSalts(SecureRandom random) {
    random.nextBytes(processKey);
  }

  /** The secret to pretend with where md5 is asked for: a hash that nobody has the password of. */
  public Secret secretFor(String user) {
    return Secret.ofMd5Digits(Hashing.md5Hex(processKey, user.getBytes(StandardCharsets.UTF_8)));
  }

  /** The verifier to pretend with for that name. */
  public ScramVerifier verifierFor(String user) {
    byte[] salt = Hashing.hmac(processKey, user.getBytes(StandardCharsets.UTF_8));
    byte[] noKey = new byte[Hashing.KEY_LENGTH_BYTES];
    return new ScramVerifier(
        noKey,
        noKey,
        Arrays.copyOf(salt, ScramVerifier.SALT_LENGTH_BYTES),
        ScramVerifier.DEFAULT_ITERATIONS);
  }
}
