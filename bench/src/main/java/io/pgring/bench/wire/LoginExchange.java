package io.pgring.bench.wire;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.pgbench.Account;
import io.pgring.login.ServerLogin;
import io.pgring.login.secret.SaltedPasswordCache;
import io.pgring.login.secret.Secret;
import java.security.SecureRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The client's side of one login, without any I/O. Salted passwords are remembered for all logins,
 * so that thousands of clients do not measure this process's own hashing. Used by one thread.
 */
final class LoginExchange {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final SaltedPasswordCache SALTED_PASSWORDS = new SaltedPasswordCache(100);

  private final Account account;
  private final ServerLogin login;

  LoginExchange(Account account) {
    this.account = account;
    Secret secret = account.password().isEmpty() ? null : Secret.parse(account.password());
    this.login = ServerLogin.of(account.user(), secret, null, SALTED_PASSWORDS, RANDOM);
  }

  /** The StartupMessage. */
  byte[] startup() {
    return Requests.startup("user", account.user(), "database", account.database());
  }

  /**
   * @param authentication body of an Authentication message
   * @return the answer; empty when none is due
   * @throws BenchFailure when the login cannot go on
   */
  byte[] answer(byte[] authentication) {
    ServerLogin.Step step =
        login.onAuthentication(new UnsafeBuffer(authentication), 0, authentication.length);
    if (step == ServerLogin.Step.NEEDS_KEY_DERIVATION) {
      login.deriveKeys();
      step = login.resume();
    }
    if (step == ServerLogin.Step.FAILED) {
      throw new BenchFailure("login: " + login.failure());
    }
    return step == ServerLogin.Step.SEND ? login.message() : new byte[0];
  }
}
