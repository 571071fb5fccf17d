package io.pgring.login;

import io.pgring.login.secret.SaltedPasswordCache;
import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.Secret;
import io.pgring.protocol.FrontendEncoder;
import io.pgring.protocol.startup.AuthenticationFlyweight;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One login of this proxy to PostgreSQL, from the startup message to AuthenticationOk. One per
 * login, one thread at a time; see the package for {@link #deriveKeys()}.
 *
 * <p>The caller hands in the body of each Authentication message ({@code 'R'}) and sends {@link
 * #message()} when told to. ErrorResponse and all other messages are the caller's. The server's
 * method is followed as libpq follows it, as far as the secret serves it; a server that speaks
 * SCRAM must prove that it knows the password.
 */
public final class ServerLogin {
  /** What the caller does next. */
  public enum Step {
    /** Send {@link #message()} and wait for the server's answer. */
    SEND,
    /** Wait for the server's next message. */
    NOTHING,
    /** The server let us in. */
    OK,
    /** Run {@link #deriveKeys()} off the lane, then call {@link #resume()}. */
    NEEDS_KEY_DERIVATION,
    /** Close the connection; {@link #failure()} says why. */
    FAILED
  }

  private enum State {
    START,
    PASSWORD_SENT,
    CLIENT_FIRST_SENT,
    DERIVING,
    CLIENT_FINAL_SENT,
    SERVER_VERIFIED,
    ENDED
  }

  private static final String MECHANISM = "SCRAM-SHA-256";
  private static final int NONCE_LENGTH_BYTES = 18;
  private static final int MD5_SALT_LENGTH_BYTES = 4;

  /** libpq's limit for an Authentication message. */
  private static final int MAX_BODY_LENGTH_BYTES = 2000;

  private final String user;
  private final Secret secret;
  private final ScramKeys clientKeys;
  private final SaltedPasswordCache cache;
  private final ScramClient scram;
  private State state = State.START;
  private ScramKeys derivedKeys;
  private byte[] message;
  private String failure;

  private ServerLogin(
      String user,
      Secret secretOrNull,
      ScramKeys clientKeysOrNull,
      SaltedPasswordCache cache,
      SecureRandom random) {
    this.user = user;
    this.secret = secretOrNull;
    this.clientKeys = clientKeysOrNull;
    this.cache = cache;
    byte[] nonce = new byte[NONCE_LENGTH_BYTES];
    random.nextBytes(nonce);
    this.scram = new ScramClient(Base64.getEncoder().encodeToString(nonce));
  }

  /**
   * A login that has just sent its startup message.
   *
   * @param user the name in that message
   * @param secretOrNull the configured secret, {@code null} if there is none
   * @param clientKeysOrNull the keys a client proved to have, {@link ClientLogin#keys()}
   * @param cache shared by all logins
   */
  public static ServerLogin of(
      String user,
      Secret secretOrNull,
      ScramKeys clientKeysOrNull,
      SaltedPasswordCache cache,
      SecureRandom random) {
    return new ServerLogin(user, secretOrNull, clientKeysOrNull, cache, random);
  }

  /** The complete message to send in step {@link Step#SEND}. */
  public byte[] message() {
    return message;
  }

  /** Why the step is {@link Step#FAILED}, with the cure where there is one. */
  public String failure() {
    return failure;
  }

  /** Takes the body of an Authentication message, without type and length. */
  public Step onAuthentication(DirectBuffer buffer, int offset, int length) {
    if (length < Integer.BYTES || length > MAX_BODY_LENGTH_BYTES) {
      return fail("the server sent an authentication request of " + length + " bytes");
    }
    byte[] data = new byte[length - Integer.BYTES];
    buffer.getBytes(offset + Integer.BYTES, data);
    int code = buffer.getInt(offset, ByteOrder.BIG_ENDIAN);
    return switch (code) {
      case AuthenticationFlyweight.OK -> onOk();
      case AuthenticationFlyweight.CLEARTEXT_PASSWORD -> onCleartextRequest();
      case AuthenticationFlyweight.MD5_PASSWORD -> onMd5Request(data);
      case AuthenticationFlyweight.SASL -> onSaslRequest(data);
      case AuthenticationFlyweight.SASL_CONTINUE -> onServerFirst(data);
      case AuthenticationFlyweight.SASL_FINAL -> onServerFinal(data);
      default ->
          fail(
              "the server asks for authentication by "
                  + nameOfUnsupported(code)
                  + " (code "
                  + code
                  + "), which pgring does not support: allow scram-sha-256 for it in pg_hba.conf");
    };
  }

  private static String nameOfUnsupported(int code) {
    return switch (code) {
      case AuthenticationFlyweight.KERBEROS_V5 -> "Kerberos";
      case AuthenticationFlyweight.GSS, AuthenticationFlyweight.GSS_CONTINUE -> "GSSAPI";
      case AuthenticationFlyweight.SSPI -> "SSPI";
      default -> "an unknown method";
    };
  }

  private Step onOk() {
    boolean expected =
        state == State.START || state == State.PASSWORD_SENT || state == State.SERVER_VERIFIED;
    if (!expected) {
      return fail("the server ended the SCRAM exchange before it proved to know the password");
    }
    state = State.ENDED;
    return Step.OK;
  }

  private Step onCleartextRequest() {
    if (state != State.START) {
      return outOfOrder();
    }
    byte[] password = secret == null ? null : secret.cleartext();
    return password == null ? failUnserved("the password in clear") : sendPassword(password);
  }

  private Step onMd5Request(byte[] salt) {
    if (state != State.START || salt.length != MD5_SALT_LENGTH_BYTES) {
      return outOfOrder();
    }
    byte[] response = secret == null ? null : secret.md5Response(user, salt);
    return response == null ? failUnserved("md5") : sendPassword(response);
  }

  private Step onSaslRequest(byte[] mechanisms) {
    if (state != State.START) {
      return outOfOrder();
    }
    if (!Arrays.asList(latin1(mechanisms).split("\0")).contains(MECHANISM)) {
      return fail("the server offers no SASL mechanism that pgring supports: " + MECHANISM);
    }
    boolean served = clientKeys != null || secret != null && secret.kind() == Secret.Kind.PLAINTEXT;
    if (!served) {
      return failUnserved("scram-sha-256");
    }
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    byte[] first = bytes(scram.clientFirst());
    return send(
        State.CLIENT_FIRST_SENT,
        buffer,
        FrontendEncoder.saslInitialResponse(buffer, 0, MECHANISM, first));
  }

  private Step onServerFirst(byte[] data) {
    if (state != State.CLIENT_FIRST_SENT) {
      return outOfOrder();
    }
    if (!scram.onServerFirst(latin1(data))) {
      return fail(scram.problem());
    }
    if (clientKeys != null && clientKeys.fits(scram.salt(), scram.iterations())) {
      return sendFinal(clientKeys);
    }
    if (secret == null || secret.kind() != Secret.Kind.PLAINTEXT) {
      return fail(
          "the SCRAM verifier of user \""
              + user
              + "\" on the server has another salt or iteration count than the one configured"
              + " here: configure the server's (pg_authid.rolpassword), or the password itself");
    }
    ScramKeys known = cache.find(secret, scram.salt(), scram.iterations());
    state = State.DERIVING;
    return known == null ? Step.NEEDS_KEY_DERIVATION : sendFinal(known);
  }

  /** Computes the keys for the server's salt. Runs outside the lane and takes milliseconds. */
  public void deriveKeys() {
    derivedKeys = cache.deriveKeys(secret, scram.salt(), scram.iterations());
  }

  /** Goes on after {@link #deriveKeys()}. */
  public Step resume() {
    return state == State.DERIVING ? sendFinal(derivedKeys) : Step.FAILED;
  }

  private Step sendFinal(ScramKeys keys) {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    byte[] data = bytes(scram.clientFinal(keys));
    return send(State.CLIENT_FINAL_SENT, buffer, FrontendEncoder.saslResponse(buffer, 0, data));
  }

  private Step onServerFinal(byte[] data) {
    if (state != State.CLIENT_FINAL_SENT) {
      return outOfOrder();
    }
    if (!scram.onServerFinal(latin1(data))) {
      return fail(scram.problem());
    }
    state = State.SERVER_VERIFIED;
    return Step.NOTHING;
  }

  private Step sendPassword(byte[] password) {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    return send(State.PASSWORD_SENT, buffer, FrontendEncoder.password(buffer, 0, password));
  }

  private Step send(State next, MutableDirectBuffer buffer, int length) {
    state = next;
    message = new byte[length];
    buffer.getBytes(0, message);
    return Step.SEND;
  }

  /** The secret is of a kind that cannot answer what the server asks for. */
  private Step failUnserved(String asked) {
    String has = "the server asks user \"" + user + "\" for " + asked + ", but ";
    if (secret == null) {
      return fail(has + "no password is configured for it: set one");
    }
    if (secret.kind() == Secret.Kind.MD5_HASH) {
      return fail(
          has
              + "an md5 hash is configured, which serves md5 only: configure the password or, for"
              + " scram-sha-256, the server's SCRAM verifier");
    }
    return fail(
        has
            + (asked.equals("scram-sha-256")
                ? "only a SCRAM verifier is configured and no client has logged in by"
                    + " scram-sha-256 yet: configure the password, or wait for a client"
                : "only a SCRAM verifier is configured, which serves scram-sha-256 only: configure"
                    + " the password"));
  }

  private Step outOfOrder() {
    return fail("the server sent an authentication request that is malformed or out of order");
  }

  private Step fail(String reason) {
    state = State.ENDED;
    message = null;
    failure = reason;
    return Step.FAILED;
  }

  private static String latin1(byte[] data) {
    return new String(data, StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }
}
