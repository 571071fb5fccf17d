package io.pgring.login;

import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.ScramVerifier;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The client's half of one SCRAM-SHA-256 exchange (RFC 5802, RFC 7677) without channel binding.
 * Messages are bytes as ISO 8859-1. A method that answers {@code false} has left the reason in
 * {@link #problem()}.
 */
final class ScramClient {
  private static final String NO_BINDING = "n,,";
  private static final String NO_BINDING_BASE64 = "biws";
  private static final int MAX_ITERATIONS_DIGITS = 9;

  private final String clientNonce;
  private final String clientFirstBare;
  private String serverFirst;
  private String nonce;
  private byte[] salt;
  private int iterations;
  private byte[] authMessage;
  private ScramKeys keys;
  private String problem;

  /**
   * @param clientNonce printable ASCII without a comma
   */
  ScramClient(String clientNonce) {
    this.clientNonce = clientNonce;
    // PostgreSQL takes the user from the startup message, so libpq leaves the name empty.
    this.clientFirstBare = "n=,r=" + clientNonce;
  }

  String clientFirst() {
    return NO_BINDING + clientFirstBare;
  }

  byte[] salt() {
    return salt;
  }

  int iterations() {
    return iterations;
  }

  String problem() {
    return problem;
  }

  /** Reads server-first-message. */
  boolean onServerFirst(String message) {
    ScramAttributes attributes = new ScramAttributes(message);
    nonce = attributes.value('r');
    String saltBase64 = nonce == null ? null : attributes.value('s');
    String count = saltBase64 == null ? null : attributes.value('i');
    if (count == null) {
      return fail("malformed SCRAM message from the server: " + attributes.problem());
    }
    if (!nonce.startsWith(clientNonce) || nonce.length() == clientNonce.length()) {
      return fail("the server's SCRAM nonce does not continue ours");
    }
    salt = decode(saltBase64);
    if (salt == null || salt.length == 0) {
      return fail("malformed SCRAM message from the server: invalid salt");
    }
    serverFirst = message;
    return readIterations(count);
  }

  private boolean readIterations(String count) {
    boolean decimal = !count.isEmpty() && count.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!decimal) {
      return fail("malformed SCRAM message from the server: invalid iteration count");
    }
    boolean small = count.length() <= MAX_ITERATIONS_DIGITS;
    iterations = small ? Integer.parseInt(count) : Integer.MAX_VALUE;
    if (iterations < 1 || iterations > ScramVerifier.MAX_ITERATIONS) {
      return fail(
          "the server asks for "
              + (small ? count : "too many")
              + " SCRAM iterations; 1 to "
              + ScramVerifier.MAX_ITERATIONS
              + " are accepted");
    }
    return true;
  }

  /** Answers client-final-message; the keys must fit the salt and iteration count. */
  String clientFinal(ScramKeys fittingKeys) {
    keys = fittingKeys;
    String withoutProof = "c=" + NO_BINDING_BASE64 + ",r=" + nonce;
    authMessage =
        (clientFirstBare + "," + serverFirst + "," + withoutProof)
            .getBytes(StandardCharsets.ISO_8859_1);
    return withoutProof + ",p=" + Base64.getEncoder().encodeToString(keys.proof(authMessage));
  }

  /** Reads server-final-message and checks that the server knows the password too. */
  boolean onServerFinal(String message) {
    ScramAttributes attributes = new ScramAttributes(message);
    if (attributes.peek() == 'e') {
      return fail("the server ended the SCRAM exchange with an error");
    }
    String value = attributes.value('v');
    if (value == null) {
      return fail("malformed SCRAM message from the server: " + attributes.problem());
    }
    byte[] signature = decode(value);
    if (signature == null || !keys.isServerSignature(authMessage, signature)) {
      return fail("the server's SCRAM signature is wrong: it does not know the password");
    }
    return true;
  }

  /** Base64 with its padding, or {@code null} if the text is anything else. */
  static byte[] decode(String base64) {
    if (base64.length() % 4 != 0) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private boolean fail(String reason) {
    problem = reason;
    return false;
  }
}
