package io.pgring.login.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256, HMAC-SHA-256, PBKDF2 and MD5 over bytes. Stateless; any thread. */
final class Hashing {
  /** Bytes in a SHA-256 hash, and so in each SCRAM-SHA-256 key. */
  static final int KEY_LENGTH_BYTES = 32;

  private static final String HMAC = "HmacSHA256";
  private static final byte[] FIRST_BLOCK = {0, 0, 0, 1};

  private Hashing() {}

  static byte[] sha256(byte[]... parts) {
    return digest("SHA-256", parts);
  }

  /** The 32 lower-case hexadecimal digits of the MD5 hash, as ASCII bytes. */
  static byte[] md5Hex(byte[]... parts) {
    byte[] hash = digest("MD5", parts);
    byte[] hex = new byte[2 * hash.length];
    for (int i = 0; i < hash.length; i++) {
      hex[2 * i] = (byte) Character.forDigit((hash[i] >> 4) & 0xF, 16);
      hex[2 * i + 1] = (byte) Character.forDigit(hash[i] & 0xF, 16);
    }
    return hex;
  }

  static byte[] hmac(byte[] key, byte[] data) {
    return mac(key).doFinal(data);
  }

  static byte[] hmac(byte[] key, String data) {
    return hmac(key, data.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * PBKDF2 with HMAC-SHA-256 and one block of output: {@code Hi} of RFC 5802 section 2.2. Takes
   * about a millisecond for each thousand iterations. The JDK's own PBKDF2 takes characters, but a
   * password that is not valid UTF-8 is hashed by its bytes.
   *
   * @throws IllegalArgumentException if the password is empty
   */
  static byte[] saltedPassword(byte[] password, byte[] salt, int iterations) {
    try {
      Mac mac = mac(password);
      mac.update(salt);
      byte[] round = mac.doFinal(FIRST_BLOCK);
      byte[] result = round.clone();
      for (int i = 1; i < iterations; i++) {
        mac.update(round);
        mac.doFinal(round, 0);
        xorInto(result, round);
      }
      return result;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] xor(byte[] left, byte[] right) {
    byte[] result = left.clone();
    xorInto(result, right);
    return result;
  }

  static byte[] bigEndian(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  private static void xorInto(byte[] target, byte[] other) {
    for (int i = 0; i < target.length; i++) {
      target[i] ^= other[i];
    }
  }

  private static byte[] digest(String algorithm, byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + algorithm, e);
    }
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + HMAC, e);
    }
  }
}
