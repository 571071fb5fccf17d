package io.pgring.login.secret;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server stores of a password for SCRAM-SHA-256: salt, iteration count, StoredKey and
 * ServerKey (RFC 5803, in PostgreSQL's spelling). Immutable; any thread.
 */
public final class ScramVerifier {
  /** Iterations of a verifier computed here: PostgreSQL's default. */
  public static final int DEFAULT_ITERATIONS = 4096;

  /** More iterations than this are refused: they would keep a core busy for seconds per login. */
  public static final int MAX_ITERATIONS = 10_000_000;

  /** Bytes of salt in a verifier computed here: PostgreSQL's default. */
  public static final int SALT_LENGTH_BYTES = 16;

  private static final Pattern FORMAT =
      Pattern.compile(
          "SCRAM-SHA-256\\$([0-9]{1,9}):([A-Za-z0-9+/]+={0,2})"
              + "\\$([A-Za-z0-9+/]{43}=):([A-Za-z0-9+/]{43}=)");

  private final byte[] storedKey;
  private final byte[] serverKey;
  private final byte[] salt;
  private final int iterations;

  ScramVerifier(byte[] storedKey, byte[] serverKey, byte[] salt, int iterations) {
    this.storedKey = storedKey;
    this.serverKey = serverKey;
    this.salt = salt;
    this.iterations = iterations;
  }

  /**
   * Reads {@code SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>}, as in {@code
   * pg_authid.rolpassword}.
   *
   * @throws IllegalArgumentException if the text is anything else; the message does not repeat it
   */
  public static ScramVerifier parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches() || matcher.group(2).length() % 4 != 0) {
      throw new IllegalArgumentException(
          "malformed SCRAM verifier: expected"
              + " SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>, salt and keys in"
              + " base64");
    }
    int iterations = Integer.parseInt(matcher.group(1));
    if (iterations < 1 || iterations > MAX_ITERATIONS) {
      throw new IllegalArgumentException(
          "SCRAM verifier with " + iterations + " iterations: 1 to " + MAX_ITERATIONS + " allowed");
    }
    Base64.Decoder base64 = Base64.getDecoder();
    return new ScramVerifier(
        base64.decode(matcher.group(3)),
        base64.decode(matcher.group(4)),
        base64.decode(matcher.group(2)),
        iterations);
  }

  /** Computes the verifier of a password: {@link ScramKeys#deriveKeys} and its cost. */
  public static ScramVerifier of(byte[] password, byte[] salt, int iterations) {
    return ScramKeys.deriveKeys(password, salt, iterations).verifier();
  }

  /** The text that {@link #parse} reads. It is a secret: it lets anyone guess at leisure. */
  public String format() {
    Base64.Encoder base64 = Base64.getEncoder();
    return "SCRAM-SHA-256$"
        + iterations
        + ":"
        + base64.encodeToString(salt)
        + "$"
        + base64.encodeToString(storedKey)
        + ":"
        + base64.encodeToString(serverKey);
  }

  /** A copy of the salt. */
  public byte[] salt() {
    return salt.clone();
  }

  /** The iteration count. */
  public int iterations() {
    return iterations;
  }

  /**
   * The keys that made this ClientProof, or {@code null} if it was not made with the password of
   * this verifier. Compares in constant time.
   */
  public ScramKeys keysOfProof(byte[] authMessage, byte[] proof) {
    if (proof.length != Hashing.KEY_LENGTH_BYTES) {
      return null;
    }
    byte[] clientKey = Hashing.xor(proof, Hashing.hmac(storedKey, authMessage));
    return MessageDigest.isEqual(Hashing.sha256(clientKey), storedKey)
        ? new ScramKeys(clientKey, serverKey, salt, iterations)
        : null;
  }

  /** ServerSignature: shows the client that this server knows ServerKey; 32 bytes. */
  public byte[] serverSignature(byte[] authMessage) {
    return Hashing.hmac(serverKey, authMessage);
  }

  /** Whether both verifiers are the same. Compares in constant time. */
  public boolean isSameAs(ScramVerifier other) {
    return iterations == other.iterations
        & MessageDigest.isEqual(salt, other.salt)
        & MessageDigest.isEqual(storedKey, other.storedKey)
        & MessageDigest.isEqual(serverKey, other.serverKey);
  }

  /** Names the iteration count only. */
  @Override
  public String toString() {
    return "ScramVerifier[iterations=" + iterations + "]";
  }
}
