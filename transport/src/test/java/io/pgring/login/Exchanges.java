package io.pgring.login;

import io.pgring.login.secret.MockSalts;
import io.pgring.login.secret.SaltedPasswordCache;
import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** What the tests of both ends share: a source of logins, and the loop between two of them. */
final class Exchanges {
  static final SecureRandom RANDOM = new SecureRandom();
  static final MockSalts MOCKS = new MockSalts(RANDOM);
  private static final int HEADER = 5;
  private static final int PADDING = 3;

  private Exchanges() {}

  static Secret secretOrNull(String configured) {
    return configured == null ? null : Secret.parse(configured);
  }

  static ClientLogin client(AuthMethod method, Secret secretOrNull, String user) {
    return ClientLogin.start(method, secretOrNull, user, RANDOM, MOCKS);
  }

  static ServerLogin server(String user, Secret secretOrNull, ScramKeys keysOrNull) {
    return ServerLogin.of(user, secretOrNull, keysOrNull, new SaltedPasswordCache(10), RANDOM);
  }

  /** Hands a whole message's body in, at an offset other than 0, and derives keys if asked to. */
  static ClientLogin.Step respond(ClientLogin login, byte[] message) {
    ClientLogin.Step step = respondBody(login, body(message));
    if (step == ClientLogin.Step.NEEDS_KEY_DERIVATION) {
      login.deriveKeys();
      return login.resume();
    }
    return step;
  }

  static ClientLogin.Step respondBody(ClientLogin login, byte[] body) {
    return login.onResponse(padded(body), PADDING, body.length);
  }

  /** The same towards the login to a server. */
  static ServerLogin.Step authenticate(ServerLogin login, byte[] message) {
    ServerLogin.Step step = authenticateBody(login, body(message));
    if (step == ServerLogin.Step.NEEDS_KEY_DERIVATION) {
      login.deriveKeys();
      return login.resume();
    }
    return step;
  }

  static ServerLogin.Step authenticateBody(ServerLogin login, byte[] body) {
    return login.onAuthentication(padded(body), PADDING, body.length);
  }

  private static UnsafeBuffer padded(byte[] body) {
    byte[] bytes = new byte[body.length + PADDING];
    System.arraycopy(body, 0, bytes, PADDING, body.length);
    return new UnsafeBuffer(bytes);
  }

  static byte[] body(byte[] message) {
    return Arrays.copyOfRange(message, HEADER, message.length);
  }

  /**
   * Lets the two talk until one has a verdict.
   *
   * @return {@code OK}, or why it failed and at which end
   */
  static String converse(ClientLogin client, ServerLogin server) {
    while (client.step() == ClientLogin.Step.CONTINUE) {
      if (authenticate(server, client.request()) != ServerLogin.Step.SEND) {
        return "server login: " + server.failure();
      }
      respond(client, server.message());
    }
    if (client.step() == ClientLogin.Step.FAILED) {
      return client.failure().sqlState() + " " + client.failure().message();
    }
    if (client.request() != null
        && authenticate(server, client.request()) != ServerLogin.Step.NOTHING) {
      return "server login: " + server.failure();
    }
    ServerLogin.Step last = authenticateBody(server, new byte[Integer.BYTES]);
    return last == ServerLogin.Step.OK ? "OK" : "server login: " + server.failure();
  }
}
