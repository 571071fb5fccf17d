package io.pgring.login;

import io.pgring.login.secret.MockSalts;
import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.ScramVerifier;
import io.pgring.login.secret.Secret;
import io.pgring.protocol.BackendEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One client's login to this proxy, from the first Authentication message to the verdict. One per
 * login, one thread at a time; see the package for {@link #deriveKeys()}.
 *
 * <p>The caller sends {@link #request()} whenever there is one and hands in each {@code 'p'}
 * message; AuthenticationOk and all other messages are the caller's. A user who does not exist, or
 * has no secret that serves the method, goes through the same exchange and the same work as
 * everybody else and is refused at its end.
 */
public final class ClientLogin {
  /** What the caller does next. */
  public enum Step {
    /** Send {@link #request()} and wait for the client's answer. */
    CONTINUE,
    /** Run {@link #deriveKeys()} off the lane, then call {@link #resume()}. */
    NEEDS_KEY_DERIVATION,
    /** Send {@link #request()} if there is one, then AuthenticationOk. */
    OK,
    /** Send {@link #failure()} as a FATAL ErrorResponse and close. */
    FAILED
  }

  private enum Exchange {
    NONE,
    PASSWORD,
    MD5,
    SCRAM
  }

  private static final String MECHANISM = "SCRAM-SHA-256";
  private static final int NONCE_LENGTH_BYTES = 18;
  private static final int MD5_SALT_LENGTH_BYTES = 4;

  /** PostgreSQL's limits, both well above what a client sends. */
  private static final int MAX_SASL_MESSAGE_LENGTH_BYTES = 1024;

  private static final int MAX_PASSWORD_MESSAGE_LENGTH_BYTES = 65535;
  private static final int NO_INITIAL_RESPONSE = -1;

  private final Exchange exchange;
  private final String user;
  private final boolean secretIsKnown;

  /** The user's secret and verifier, or what stands in for them and fits no password. */
  private final Secret secret;

  private final ScramVerifier verifier;

  private final ScramServer scram;
  private final byte[] md5Salt = new byte[MD5_SALT_LENGTH_BYTES];
  private boolean mechanismChosen;
  private byte[] presentedPassword;
  private Step step = Step.CONTINUE;
  private byte[] request;
  private LoginFailure failure;
  private ScramKeys keys;

  private ClientLogin(
      Exchange exchange, String user, Secret secretOrNull, SecureRandom random, MockSalts mocks) {
    this.exchange = exchange;
    this.user = user;
    this.secretIsKnown = secretOrNull != null;
    this.secret = secretIsKnown ? secretOrNull : mocks.secretFor(user);
    this.verifier = verifierFor(exchange, secret, mocks.verifierFor(user));
    byte[] nonce = new byte[NONCE_LENGTH_BYTES];
    random.nextBytes(nonce);
    random.nextBytes(md5Salt);
    this.scram = new ScramServer(verifier, Base64.getEncoder().encodeToString(nonce));
  }

  /**
   * Begins a login.
   *
   * @param secretOrNull the user's secret, {@linkplain Secret#prepare() prepared}; {@code null} for
   *     a user who does not exist or has none
   * @param user the name in the startup message
   */
  public static ClientLogin start(
      AuthMethod method, Secret secretOrNull, String user, SecureRandom random, MockSalts mocks) {
    ClientLogin login =
        new ClientLogin(exchangeFor(method, secretOrNull), user, secretOrNull, random, mocks);
    login.begin();
    return login;
  }

  private static Exchange exchangeFor(AuthMethod method, Secret secretOrNull) {
    return switch (method) {
      case TRUST -> Exchange.NONE;
      case PASSWORD -> Exchange.PASSWORD;
      case SCRAM_SHA_256 -> Exchange.SCRAM;
      case MD5 ->
          secretOrNull != null && secretOrNull.kind() == Secret.Kind.SCRAM_VERIFIER
              ? Exchange.SCRAM
              : Exchange.MD5;
    };
  }

  private static ScramVerifier verifierFor(Exchange exchange, Secret secret, ScramVerifier mock) {
    boolean usesVerifier = exchange == Exchange.PASSWORD || exchange == Exchange.SCRAM;
    ScramVerifier known = usesVerifier ? secret.verifier() : null;
    return known == null ? mock : known;
  }

  private void begin() {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    switch (exchange) {
      case NONE -> step = Step.OK;
      case PASSWORD -> request(buffer, BackendEncoder.authenticationCleartextPassword(buffer, 0));
      case MD5 -> request(buffer, BackendEncoder.authenticationMd5Password(buffer, 0, md5Salt));
      case SCRAM -> request(buffer, BackendEncoder.authenticationSasl(buffer, 0, MECHANISM));
    }
  }

  /** What the caller does now. */
  public Step step() {
    return step;
  }

  /** The complete Authentication message to send in this step, or {@code null}. */
  public byte[] request() {
    return request;
  }

  /** Why the step is {@link Step#FAILED}. */
  public LoginFailure failure() {
    return failure;
  }

  /**
   * After {@link Step#OK} by SCRAM or password: the keys that log in to a server with the identical
   * verifier. Else {@code null}.
   */
  public ScramKeys keys() {
    return step == Step.OK ? keys : null;
  }

  /** Takes the body of a {@code 'p'} message, without type and length. */
  public Step onResponse(DirectBuffer buffer, int offset, int length) {
    if (step != Step.CONTINUE) {
      return fail(LoginFailure.protocolViolation("unexpected password message"));
    }
    request = null;
    if (length < 0 || length > maxLength()) {
      return fail(LoginFailure.protocolViolation("invalid message length"));
    }
    byte[] body = new byte[length];
    buffer.getBytes(offset, body);
    return switch (exchange) {
      case PASSWORD -> onPassword(body);
      case MD5 -> onMd5Response(body);
      case SCRAM -> onSaslMessage(body);
      case NONE -> step;
    };
  }

  private int maxLength() {
    return exchange == Exchange.SCRAM
        ? MAX_SASL_MESSAGE_LENGTH_BYTES
        : MAX_PASSWORD_MESSAGE_LENGTH_BYTES;
  }

  /**
   * Takes note that the client sent something else than a {@code 'p'} message; a second startup
   * packet shows as type 0, the first byte of its length.
   */
  public Step onUnexpectedType(byte type) {
    String expected = exchange == Exchange.SCRAM ? "SASL" : "password";
    return fail(
        LoginFailure.protocolViolation(
            "expected " + expected + " response, got message type " + (type & 0xFF)));
  }

  private Step onPassword(byte[] body) {
    presentedPassword = passwordIn(body);
    return presentedPassword == null ? Step.FAILED : step(Step.NEEDS_KEY_DERIVATION);
  }

  /** The text of a PasswordMessage, or {@code null} after a failure. */
  private byte[] passwordIn(byte[] body) {
    if (body.length == 0 || endOfString(body, 0) != body.length - 1) {
      fail(LoginFailure.protocolViolation("invalid password packet size"));
      return null;
    }
    if (body.length == 1) {
      fail(LoginFailure.emptyPassword());
      return null;
    }
    return Arrays.copyOf(body, body.length - 1);
  }

  /**
   * Hashes the password the client presented. Runs outside the lane and takes milliseconds, for
   * every user and secret alike.
   */
  public void deriveKeys() {
    keys = ScramKeys.deriveKeys(presentedPassword, verifier.salt(), verifier.iterations());
  }

  /** Goes on after {@link #deriveKeys()}. */
  public Step resume() {
    if (step != Step.NEEDS_KEY_DERIVATION) {
      return step;
    }
    boolean fits = keys.verifier().isSameAs(verifier);
    boolean md5Fits = secret.md5Matches(user, presentedPassword);
    presentedPassword = null;
    return secretIsKnown && (fits || md5Fits) ? step(Step.OK) : refuse();
  }

  private Step onMd5Response(byte[] body) {
    byte[] response = passwordIn(body);
    if (response == null) {
      return Step.FAILED;
    }
    boolean fits = MessageDigest.isEqual(secret.md5Response(user, md5Salt), response);
    return fits && secretIsKnown ? step(Step.OK) : refuse();
  }

  private Step onSaslMessage(byte[] body) {
    if (mechanismChosen) {
      return onScramMessage(latin1(body, 0));
    }
    int end = endOfString(body, 0);
    if (end < 0) {
      return fail(LoginFailure.protocolViolation("invalid string in message"));
    }
    if (!MECHANISM.equals(latin1(Arrays.copyOf(body, end), 0))) {
      return fail(
          LoginFailure.protocolViolation(
              "client selected an invalid SASL authentication mechanism"));
    }
    mechanismChosen = true;
    return onInitialResponse(body, end + 1);
  }

  private Step onInitialResponse(byte[] body, int offset) {
    int begin = offset + Integer.BYTES;
    if (begin > body.length) {
      return fail(LoginFailure.protocolViolation("insufficient data left in message"));
    }
    int length = ByteBuffer.wrap(body).getInt(offset);
    int left = body.length - begin;
    if (length < NO_INITIAL_RESPONSE || length > left) {
      return fail(LoginFailure.protocolViolation("insufficient data left in message"));
    }
    if (Math.max(length, 0) < left) {
      return fail(LoginFailure.protocolViolation("invalid message format"));
    }
    return length == NO_INITIAL_RESPONSE ? challenge("") : onScramMessage(latin1(body, begin));
  }

  private Step onScramMessage(String message) {
    if (message.isEmpty()) {
      return fail(LoginFailure.malformedScram("The message is empty."));
    }
    if (message.indexOf('\0') >= 0) {
      return fail(LoginFailure.malformedScram("Message length does not match input length."));
    }
    if (scram.expectsFinal()) {
      return onClientFinal(message);
    }
    String serverFirst = scram.onClientFirst(message);
    return serverFirst == null ? fail(scram.failure()) : challenge(serverFirst);
  }

  private Step onClientFinal(String message) {
    String serverFinal = scram.onClientFinal(message);
    if (scram.failure() != null) {
      return fail(scram.failure());
    }
    if (serverFinal == null || !secretIsKnown || secret.verifier() == null) {
      return refuse();
    }
    keys = scram.keys();
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    request(buffer, BackendEncoder.authenticationSaslFinal(buffer, 0, bytes(serverFinal)));
    return step(Step.OK);
  }

  private Step challenge(String data) {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    request(buffer, BackendEncoder.authenticationSaslContinue(buffer, 0, bytes(data)));
    return step;
  }

  private Step refuse() {
    return fail(LoginFailure.passwordRefused(user, refusalReason()));
  }

  private String refusalReason() {
    if (!secretIsKnown) {
      return "no such user, or no password is configured";
    }
    boolean useless = exchange == Exchange.SCRAM && secret.kind() == Secret.Kind.MD5_HASH;
    return useless
        ? "an md5 hash cannot serve scram-sha-256: configure the password or its SCRAM verifier"
        : "password does not match";
  }

  private Step fail(LoginFailure reason) {
    failure = reason;
    request = null;
    return step(Step.FAILED);
  }

  private Step step(Step next) {
    step = next;
    return next;
  }

  private void request(MutableDirectBuffer buffer, int length) {
    request = new byte[length];
    buffer.getBytes(0, request);
  }

  /** Where the NUL is, or -1. */
  private static int endOfString(byte[] body, int from) {
    int end = from;
    while (end < body.length && body[end] != 0) {
      end++;
    }
    return end < body.length ? end : -1;
  }

  private static String latin1(byte[] body, int from) {
    return new String(body, from, body.length - from, StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }
}
