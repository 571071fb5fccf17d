package io.pgring.login.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What is configured for one user: a plain password, a SCRAM verifier or an md5 hash. Lives from
 * one reading of the configuration to the next. Thread-safe; nothing it prints shows the secret.
 *
 * <p>A reload keeps the old object where the new one is {@linkplain #equals equal}: a plain
 * password has a random salt, and a salt that changed would tell known users from unknown ones.
 */
public final class Secret {
  /** How the secret was written. */
  public enum Kind {
    /** The password itself: serves every method. */
    PLAINTEXT,
    /** A SCRAM verifier: proves passwords, and logs in to servers only with a client's keys. */
    SCRAM_VERIFIER,
    /** {@code md5} and the hash of password and user name: serves md5 and password only. */
    MD5_HASH
  }

  private static final String SCRAM_PREFIX = "SCRAM-SHA-";
  private static final String MD5_PREFIX = "md5";
  private static final Pattern MD5_FORMAT = Pattern.compile("md5[0-9a-f]{32}");

  /** A hash cut short, lengthened or in the wrong case; no password a person would choose. */
  private static final Pattern MD5_LOOK_ALIKE =
      Pattern.compile("md5(?:[0-9A-Za-z]{32}|[0-9a-fA-F]{24,40})");

  private final Kind kind;

  /** The password in UTF-8, the verifier's text, or the 32 digits of the md5 hash. */
  private final byte[] bytes;

  private volatile ScramVerifier verifier;

  private Secret(Kind kind, byte[] bytes, ScramVerifier verifierOrNull) {
    this.kind = kind;
    this.bytes = bytes;
    this.verifier = verifierOrNull;
  }

  /**
   * Reads a secret as configured. Its kind is told by its form, as PostgreSQL does it.
   *
   * @throws IllegalArgumentException if it is empty, contains a NUL, or looks like a verifier or an
   *     md5 hash without being one; the message says which and does not repeat the secret
   */
  public static Secret parse(String configured) {
    if (configured.isEmpty()) {
      throw new IllegalArgumentException("empty password: PostgreSQL accepts none");
    }
    if (configured.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("password with a NUL character: it cannot be sent");
    }
    if (configured.toUpperCase(Locale.ROOT).startsWith(SCRAM_PREFIX)) {
      ScramVerifier verifier = ScramVerifier.parse(configured);
      return new Secret(Kind.SCRAM_VERIFIER, utf8(verifier.format()), verifier);
    }
    if (MD5_FORMAT.matcher(configured).matches()) {
      return ofMd5Digits(utf8(configured.substring(MD5_PREFIX.length())));
    }
    if (MD5_LOOK_ALIKE.matcher(configured).matches()) {
      throw new IllegalArgumentException(
          "malformed md5 hash: expected md5 and 32 lower-case hexadecimal digits");
    }
    return new Secret(Kind.PLAINTEXT, utf8(configured), null);
  }

  static Secret ofMd5Digits(byte[] digits) {
    return new Secret(Kind.MD5_HASH, digits, null);
  }

  /** How the secret was written. */
  public Kind kind() {
    return kind;
  }

  /** Computes what {@link #verifier()} answers, so that no lane has to; takes milliseconds. */
  public void prepare() {
    verifier();
  }

  /**
   * The SCRAM verifier, or {@code null} for an md5 hash. For a plain password it is computed once,
   * with a random salt; see {@link #prepare()}.
   */
  public ScramVerifier verifier() {
    ScramVerifier known = verifier;
    return known != null || kind == Kind.MD5_HASH ? known : computeVerifier();
  }

  private synchronized ScramVerifier computeVerifier() {
    if (verifier == null) {
      byte[] salt = new byte[ScramVerifier.SALT_LENGTH_BYTES];
      new SecureRandom().nextBytes(salt);
      verifier = ScramVerifier.of(bytes, salt, ScramVerifier.DEFAULT_ITERATIONS);
    }
    return verifier;
  }

  /** The password in UTF-8, or {@code null} unless it is known in plain. */
  public byte[] cleartext() {
    return kind == Kind.PLAINTEXT ? bytes.clone() : null;
  }

  /**
   * The keys of a plain password; takes about a millisecond for each thousand iterations.
   *
   * @throws IllegalStateException for the other kinds
   */
  public ScramKeys deriveKeys(byte[] salt, int iterations) {
    if (kind != Kind.PLAINTEXT) {
      throw new IllegalStateException("keys need the plain password");
    }
    return ScramKeys.deriveKeys(bytes, salt, iterations);
  }

  /**
   * The answer to AuthenticationMD5Password, {@code md5} and 32 digits, or {@code null} for a SCRAM
   * verifier, which does not know it.
   */
  public byte[] md5Response(String user, byte[] salt) {
    byte[] digits = md5Digits(user);
    return digits == null ? null : withMd5Prefix(Hashing.md5Hex(digits, salt));
  }

  /** Whether this md5 hash, or plain password, is that of the presented one. Constant time. */
  public boolean md5Matches(String user, byte[] presentedPassword) {
    byte[] digits = md5Digits(user);
    return digits != null
        && MessageDigest.isEqual(digits, Hashing.md5Hex(presentedPassword, utf8(user)));
  }

  private byte[] md5Digits(String user) {
    return switch (kind) {
      case PLAINTEXT -> Hashing.md5Hex(bytes, utf8(user));
      case MD5_HASH -> bytes;
      case SCRAM_VERIFIER -> null;
    };
  }

  private static byte[] withMd5Prefix(byte[] digits) {
    byte[] result = Arrays.copyOf(utf8(MD5_PREFIX), MD5_PREFIX.length() + digits.length);
    System.arraycopy(digits, 0, result, MD5_PREFIX.length(), digits.length);
    return result;
  }

  /** Tells this password with this salt and count from all others, without being it. */
  byte[] fingerprint(byte[] salt, int iterations) {
    return Hashing.sha256(bytes, new byte[1], Hashing.bigEndian(iterations), salt);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret that
        && kind == that.kind
        && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Names the kind only. */
  @Override
  public String toString() {
    return "Secret[" + kind + "]";
  }
}
