package io.pgring.login;

import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.ScramVerifier;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The server's half of one SCRAM-SHA-256 exchange (RFC 5802, RFC 7677) without channel binding,
 * with PostgreSQL's reading of malformed messages. Messages are bytes as ISO 8859-1. A method that
 * answers {@code null} has left the reason in {@link #failure()}, or, if there is none there, the
 * proof was wrong.
 */
final class ScramServer {
  private static final Base64.Encoder BASE64 = Base64.getEncoder();
  private static final int PROOF_LENGTH_BYTES = 32;

  private final ScramVerifier verifier;
  private final String serverNonce;
  private char bindingFlag;
  private String clientFirstBare;
  private String nonce;
  private String serverFirst;
  private LoginFailure failure;
  private ScramKeys keys;

  /**
   * @param serverNonce this server's part of the nonce: printable ASCII without a comma
   */
  ScramServer(ScramVerifier verifier, String serverNonce) {
    this.verifier = verifier;
    this.serverNonce = serverNonce;
  }

  LoginFailure failure() {
    return failure;
  }

  /** The keys the client proved to have; {@code null} before it did. */
  ScramKeys keys() {
    return keys;
  }

  /** Whether the next message is the client's second. */
  boolean expectsFinal() {
    return serverFirst != null;
  }

  /** Reads client-first-message and answers server-first-message. */
  String onClientFirst(String message) {
    ScramAttributes attributes = new ScramAttributes(message);
    if (!readHeader(attributes) || !readBare(attributes)) {
      return null;
    }
    serverFirst =
        "r="
            + nonce
            + ",s="
            + BASE64.encodeToString(verifier.salt())
            + ",i="
            + verifier.iterations();
    return serverFirst;
  }

  private boolean readHeader(ScramAttributes attributes) {
    bindingFlag = attributes.peek();
    if (bindingFlag == 'p') {
      return malformed(
          "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message"
              + " includes channel binding data.");
    }
    if (bindingFlag != 'n' && bindingFlag != 'y') {
      return malformed(
          "Unexpected channel-binding flag \"" + ScramAttributes.shown(bindingFlag) + "\".");
    }
    attributes.skip();
    if (attributes.peek() != ',') {
      return malformed(
          "Comma expected, but found character \""
              + ScramAttributes.shown(attributes.peek())
              + "\".");
    }
    attributes.skip();
    return readNoAuthorizationIdentity(attributes);
  }

  private boolean readNoAuthorizationIdentity(ScramAttributes attributes) {
    if (attributes.peek() == 'a') {
      return fail(
          LoginFailure.unsupported("client uses authorization identity, but it is not supported"));
    }
    if (attributes.peek() != ',') {
      return malformed(
          "Unexpected attribute \""
              + ScramAttributes.shown(attributes.peek())
              + "\" in client-first-message.");
    }
    attributes.skip();
    return true;
  }

  private boolean readBare(ScramAttributes attributes) {
    clientFirstBare = attributes.rest();
    if (attributes.peek() == 'm') {
      return fail(LoginFailure.unsupported("client requires an unsupported SCRAM extension"));
    }
    // The user name is that of the startup message; PostgreSQL ignores this one too.
    if (attributes.value('n') == null) {
      return malformed(attributes.problem());
    }
    String clientNonce = attributes.value('r');
    if (clientNonce == null) {
      return malformed(attributes.problem());
    }
    if (!ScramAttributes.isNonce(clientNonce)) {
      return fail(LoginFailure.protocolViolation("non-printable characters in SCRAM nonce"));
    }
    nonce = clientNonce + serverNonce;
    while (!attributes.atEnd()) {
      if (attributes.anyValue() == null) {
        return malformed(attributes.problem());
      }
    }
    return true;
  }

  /** Reads client-final-message and, if its proof is right, answers server-final-message. */
  String onClientFinal(String message) {
    ScramAttributes attributes = new ScramAttributes(message);
    String binding = attributes.value('c');
    if (binding == null) {
      return malformedFinal(attributes.problem());
    }
    // "n,," or "y,,", whichever the client sent in its first message.
    if (!binding.equals(bindingFlag == 'n' ? "biws" : "eSws")) {
      fail(
          LoginFailure.protocolViolation(
              "unexpected SCRAM channel-binding attribute in client-final-message"));
      return null;
    }
    String finalNonce = attributes.value('r');
    if (finalNonce == null) {
      return malformedFinal(attributes.problem());
    }
    return readProof(attributes, message, finalNonce);
  }

  private String readProof(ScramAttributes attributes, String message, String finalNonce) {
    int proofBegin;
    char attribute;
    String value;
    do {
      proofBegin = attributes.position();
      attribute = attributes.peek();
      value = attributes.anyValue();
      if (value == null) {
        return malformedFinal(attributes.problem());
      }
    } while (attribute != 'p');
    byte[] proof = decodeProof(value);
    if (proof == null) {
      return malformedFinal("Malformed proof in client-final-message.");
    }
    if (!attributes.atEnd()) {
      return malformedFinal("Garbage found at the end of client-final-message.");
    }
    if (!finalNonce.equals(nonce)) {
      fail(LoginFailure.scramNonceMismatch());
      return null;
    }
    return checkProof(proof, message.substring(0, proofBegin - 1));
  }

  private String checkProof(byte[] proof, String finalWithoutProof) {
    byte[] authMessage =
        (clientFirstBare + "," + serverFirst + "," + finalWithoutProof)
            .getBytes(StandardCharsets.ISO_8859_1);
    keys = verifier.keysOfProof(authMessage, proof);
    return keys == null
        ? null
        : "v=" + BASE64.encodeToString(verifier.serverSignature(authMessage));
  }

  private static byte[] decodeProof(String base64) {
    byte[] proof = ScramClient.decode(base64);
    return proof != null && proof.length == PROOF_LENGTH_BYTES ? proof : null;
  }

  private String malformedFinal(String detail) {
    malformed(detail);
    return null;
  }

  private boolean malformed(String detail) {
    return fail(LoginFailure.malformedScram(detail));
  }

  private boolean fail(LoginFailure reason) {
    failure = reason;
    return false;
  }
}
