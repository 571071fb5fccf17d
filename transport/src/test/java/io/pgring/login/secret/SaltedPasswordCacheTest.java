package io.pgring.login.secret;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SaltedPasswordCacheTest {
  private static final byte[] SALT = {1, 2, 3};

  private final SaltedPasswordCache cache = new SaltedPasswordCache(3);

  @Test
  void remembersKeysByPasswordSaltAndIterations() {
    Secret secret = Secret.parse("secret");
    assertThat(cache.find(secret, SALT, 2)).isNull();
    ScramKeys keys = cache.deriveKeys(secret, SALT, 2);
    assertThat(cache.find(Secret.parse("secret"), SALT.clone(), 2)).isSameAs(keys);
    assertThat(cache.deriveKeys(secret, SALT, 2)).isSameAs(keys);
    assertThat(cache.find(Secret.parse("other"), SALT, 2)).isNull();
    assertThat(cache.find(secret, SALT, 3)).isNull();
    assertThat(cache.find(secret, new byte[] {1, 2, 4}, 2)).isNull();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 20; i++) {
      Secret secret = Secret.parse("secret" + i);
      ScramKeys keys = cache.deriveKeys(secret, SALT, 1);
      assertThat(cache.find(secret, SALT, 1)).isSameAs(keys);
      assertThat(cache.size()).isLessThanOrEqualTo(3);
    }
    assertThat(cache.size()).isEqualTo(3);
  }
}
