package io.pgring.testkit.wire;

import static io.pgring.testkit.wire.FrontendMessages.cString;
import static io.pgring.testkit.wire.FrontendMessages.concat;
import static io.pgring.testkit.wire.FrontendMessages.int32;
import static io.pgring.testkit.wire.FrontendMessages.message;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The client's half of a login: answers the authentication requests of one connection by cleartext
 * password, MD5 or SCRAM-SHA-256 (RFC 5802). The password is used as it is: a caller that wants its
 * SASLprep form passes that. One per connection, on the thread of its client.
 */
final class Authentication {
  private static final int OK = 0;
  private static final int CLEARTEXT = 3;
  private static final int MD5 = 5;
  private static final int SASL = 10;
  private static final int SASL_CONTINUE = 11;
  private static final int SASL_FINAL = 12;

  private static final String MECHANISM = "SCRAM-SHA-256";
  private static final String NO_CHANNEL_BINDING = "n,,";

  private final String user;
  private final byte[] password;
  private String clientFirstBare;
  private String expectedServerSignature;

  Authentication(Login login) {
    user = login.user();
    password = login.password().getBytes(UTF_8);
  }

  /** The message to send back, empty when the request needs none. */
  byte[] answer(Reply request) {
    ByteBuffer in = ByteBuffer.wrap(request.body());
    int code = in.getInt();
    byte[] data = new byte[in.remaining()];
    in.get(data);
    return switch (code) {
      case OK -> new byte[0];
      case CLEARTEXT -> message('p', password, new byte[1]);
      case MD5 -> message('p', md5Response(data));
      case SASL -> message('p', clientFirst(new String(data, UTF_8)));
      case SASL_CONTINUE -> message('p', clientFinal(new String(data, UTF_8)).getBytes(UTF_8));
      case SASL_FINAL -> verifyServer(new String(data, UTF_8));
      default -> throw new IllegalStateException("authentication request " + code);
    };
  }

  private byte[] md5Response(byte[] salt) {
    byte[] stored = md5Hex(password, user.getBytes(UTF_8)).getBytes(UTF_8);
    return cString("md5" + md5Hex(stored, salt));
  }

  private byte[] clientFirst(String mechanisms) {
    if (!Arrays.asList(mechanisms.split("\0")).contains(MECHANISM)) {
      throw new IllegalStateException("no " + MECHANISM + " among " + mechanisms);
    }
    byte[] nonce = new byte[18];
    new SecureRandom().nextBytes(nonce);
    clientFirstBare = "n=,r=" + base64(nonce);
    byte[] first = (NO_CHANNEL_BINDING + clientFirstBare).getBytes(UTF_8);
    return concat(cString(MECHANISM), int32(first.length), first);
  }

  private String clientFinal(String serverFirst) {
    byte[] salt = Base64.getDecoder().decode(attribute(serverFirst, 's'));
    int iterations = Integer.parseInt(attribute(serverFirst, 'i'));
    byte[] salted = saltedPassword(salt, iterations);
    String binding = base64(NO_CHANNEL_BINDING.getBytes(UTF_8));
    String withoutProof = "c=" + binding + ",r=" + attribute(serverFirst, 'r');
    byte[] signed = String.join(",", clientFirstBare, serverFirst, withoutProof).getBytes(UTF_8);
    expectedServerSignature = base64(hmac(hmac(salted, "Server Key".getBytes(UTF_8)), signed));
    byte[] clientKey = hmac(salted, "Client Key".getBytes(UTF_8));
    byte[] proof = xor(clientKey, hmac(digest("SHA-256", clientKey), signed));
    return withoutProof + ",p=" + base64(proof);
  }

  private byte[] verifyServer(String serverFinal) {
    if (!attribute(serverFinal, 'v').equals(expectedServerSignature)) {
      throw new IllegalStateException("the server does not know the password");
    }
    return new byte[0];
  }

  /** PBKDF2 with one block of output. */
  private byte[] saltedPassword(byte[] salt, int iterations) {
    byte[] block = hmac(password, concat(salt, int32(1)));
    byte[] result = block;
    for (int i = 1; i < iterations; i++) {
      block = hmac(password, block);
      result = xor(result, block);
    }
    return result;
  }

  private static String attribute(String scramMessage, char name) {
    return Arrays.stream(scramMessage.split(","))
        .filter(part -> part.startsWith(name + "="))
        .map(part -> part.substring(2))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + name + "= in " + scramMessage));
  }

  private static String md5Hex(byte[] secret, byte[] salt) {
    return HexFormat.of().formatHex(digest("MD5", concat(secret, salt)));
  }

  private static byte[] xor(byte[] a, byte[] b) {
    byte[] result = new byte[a.length];
    for (int i = 0; i < a.length; i++) {
      result[i] = (byte) (a[i] ^ b[i]);
    }
    return result;
  }

  private static byte[] hmac(byte[] key, byte[] data) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] digest(String algorithm, byte[] data) {
    try {
      return MessageDigest.getInstance(algorithm).digest(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
