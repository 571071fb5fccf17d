package io.pgring.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgring.login.AuthMethod;
import io.pgring.transport.Address;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class PgringConfigTest {
  @Test
  void hasDefaultsForEverything() {
    PgringConfig config =
        PgringConfig.builder().database("bench", "db:5432").user("bencher", "secret").build();

    assertThat(config.listen()).containsExactly(Address.parse("127.0.0.1:6432"));
    assertThat(config.lanes()).isPositive();
    assertThat(config.threading()).isEqualTo(ThreadingMode.FUSED);
    assertThat(config.authMethod()).isEqualTo(AuthMethod.SCRAM_SHA_256);
    assertThat(config.http()).isNull();
    assertThat(config.unixSocketMode()).isEqualTo(0777);
    assertThat(config.socketOptions().keepAlive()).isTrue();
    assertThat(config.adminUsers()).isEmpty();
    assertThat(config.limits().maxClientConn()).isEqualTo(10_000);
    assertThat(config.limits().listenBacklog()).isEqualTo(1024);
    assertThat(config.timeouts().serverLoginRetryNs())
        .isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(config.database("bench").poolSize()).isEqualTo(20);
    assertThat(config.database("bench").poolMode()).isEqualTo(PoolMode.TRANSACTION);
    assertThat(config.user("bencher").password()).isEqualTo("secret");
  }

  @Test
  void databasesInheritWhatTheyLack() {
    PgringConfig config =
        PgringConfig.builder()
            .database("own", "db")
            .setForDatabase("own", ConfigKey.POOL_SIZE, "3")
            .setForDatabase("own", ConfigKey.SERVER_LIFETIME_S, "1.5")
            .database("inherits", "db")
            .set(ConfigKey.DEFAULT_POOL_SIZE, "7")
            .set(ConfigKey.POOL_MODE, "session")
            .build();

    assertThat(config.database("own").poolSize()).isEqualTo(3);
    assertThat(config.database("own").serverLifetimeNs()).isEqualTo(1_500_000_000L);
    assertThat(config.database("inherits").poolSize()).isEqualTo(7);
    assertThat(config.database("inherits").poolMode()).isEqualTo(PoolMode.SESSION);
    assertThat(config.database("other")).isNull();
  }

  @Test
  void theUsersPoolComesBeforeThatOfTheDatabase() {
    PgringConfig config =
        PgringConfig.builder()
            .set(ConfigKey.QUERY_TIMEOUT_S, "9")
            .database("db", "db")
            .setForDatabase("db", ConfigKey.POOL_SIZE, "3")
            .user("plain", "x")
            .user("own", "x")
            .setForUser("own", ConfigKey.POOL_SIZE, "5")
            .setForUser("own", ConfigKey.POOL_MODE, "session")
            .setForUser("own", ConfigKey.QUERY_TIMEOUT_S, "1")
            .build();
    DatabaseConfig database = config.database("db");

    assertThat(database.poolSizeFor(config.user("plain"))).isEqualTo(3);
    assertThat(database.poolSizeFor(config.user("own"))).isEqualTo(5);
    assertThat(database.poolModeFor(config.user("plain"))).isEqualTo(PoolMode.TRANSACTION);
    assertThat(database.poolModeFor(config.user("own"))).isEqualTo(PoolMode.SESSION);
    assertThat(config.user("plain").timeouts().queryTimeoutNs()).isEqualTo(9_000_000_000L);
    assertThat(config.user("own").timeouts().queryTimeoutNs()).isEqualTo(1_000_000_000L);
  }

  @Test
  void theEntryForAnyNameTakesTheNameAskedFor() {
    PgringConfig config =
        PgringConfig.builder()
            .database("*", "db")
            .database("mapped", "db")
            .setForDatabase("mapped", ConfigKey.DBNAME, "real")
            .user("*")
            .setForUser("*", ConfigKey.AUTH_TYPE, "trust")
            .build();

    assertThat(config.database("shop").name()).isEqualTo("shop");
    assertThat(config.database("shop").serverDatabase()).isEqualTo("shop");
    assertThat(config.database("mapped").serverDatabase()).isEqualTo("real");
    assertThat(config.user("anna").name()).isEqualTo("anna");
    assertThat(config.user("anna").authMethod()).isEqualTo(AuthMethod.TRUST);
    assertThat(config.user("anna")).isEqualTo(config.user("anna")).isNotEqualTo(config.user("*"));
  }

  @Test
  void anMd5HashIsServedByMd5() {
    PgringConfig config =
        PgringConfig.builder()
            .user("hash", "md5" + "0".repeat(32))
            .user("open", "md5" + "0".repeat(32))
            .setForUser("open", ConfigKey.AUTH_TYPE, "trust")
            .user("plain", "x")
            .build();

    assertThat(config.user("hash").authMethod()).isEqualTo(AuthMethod.MD5);
    assertThat(config.user("open").authMethod()).isEqualTo(AuthMethod.TRUST);
    assertThat(config.user("plain").authMethod()).isEqualTo(AuthMethod.SCRAM_SHA_256);
  }

  @Test
  void namesWhatAReloadCannotChange() {
    PgringConfig old = PgringConfig.builder().database("a", "db").build();
    PgringConfig next =
        PgringConfig.builder()
            .set(ConfigKey.RING_SIZE, "128")
            .set(ConfigKey.LISTEN, "127.0.0.1:1", "unix:/tmp/s")
            .set(ConfigKey.QUERY_TIMEOUT_S, "3")
            .set(ConfigKey.MAX_CLIENT_CONN, "10000")
            .database("b", "db")
            .build();

    assertThat(PgringConfig.notReloadable(old, next)).containsExactly("listen", "ring_size");
    assertThat(PgringConfig.notReloadable(old, old)).isEmpty();
  }

  @Test
  void neverPrintsASecret() {
    PgringConfig config =
        PgringConfig.builder()
            .database("db", "db:1")
            .setForDatabase("db", ConfigKey.SERVER_PASSWORD, "topsecret")
            .user("u", "topsecret")
            .build();

    assertThat(config.toString())
        .contains("primary: db:1", "password: ***")
        .doesNotContain("topsecret");
  }

  @ParameterizedTest
  @CsvSource({
    "DEFAULT_POOL_SIZE, 0, must be from 1 to 100000",
    "DEFAULT_POOL_SIZE, 1.5, must be a whole number",
    "RING_SIZE, 1000, must be a power of two",
    "QUERY_TIMEOUT_S, -1, must be from 0 to 31536000",
    "QUERY_TIMEOUT_S, 1e9, must be a number of seconds",
    "SERVER_LOGIN_RETRY_MS, 1001, must be from 1 to 1000",
    "LANES, 0, must be from 1 to 1024",
    "LANES, many, must be auto or a whole number",
    "THREADING, invoker, must be fused or staged",
    "UNIX_SOCKET_MODE, 999, must be an octal file mode",
    "TCP_KEEPALIVE, yes, must be true or false",
    "AUTH_TYPE, scram, 'must be trust, password, md5 or scram-sha-256'"
  })
  void refusesValuesOutsideTheCatalogue(ConfigKey key, String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PgringConfig.builder().set(key, text))
        .withMessageContaining(message)
        .withMessageContaining(text);
  }
}
