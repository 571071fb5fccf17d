package io.pgring.configfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgring.config.PgringConfig;
import io.pgring.login.AuthMethod;
import io.pgring.transport.Address;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ConnectionUriTest {
  private static final Address LISTEN = Address.parse("127.0.0.1:6432");

  @ParameterizedTest
  @CsvSource({
    "postgresql://anna@db:5433/shop, anna, , db:5433, shop",
    "postgres://anna@db, anna, , db:5432, anna",
    "postgresql://anna:s%40f@db/, anna, s@f, db:5432, anna",
    "postgresql://an+na@[::1]:1/x%2Fy, an+na, , [::1]:1, x/y",
    "postgresql://anna@[::1]/x, anna, , [::1]:5432, x",
    "postgresql://anna@%2Frun%2Fpg/x, anna, , unix:/run/pg/.s.PGSQL.5432, x",
    "postgresql://anna@%2Frun%2Fpg:7/x, anna, , unix:/run/pg/.s.PGSQL.7, x"
  })
  void readsWhatLibpqReads(
      String uri, String user, String password, String server, String database) {
    ConnectionUri parsed = ConnectionUri.parse(uri);

    assertThat(parsed)
        .isEqualTo(new ConnectionUri(user, password, Address.parse(server), database));
  }

  @ParameterizedTest
  @CsvSource({
    "http://anna@db, does not start with postgresql://",
    "postgresql://db/shop, names no user",
    "postgresql://@db/shop, names no user",
    "postgresql://:pw@db/shop, names no user",
    "postgresql://anna@/shop, names no host",
    "postgresql://anna@:5432/shop, names no host",
    "'postgresql://anna@a,b/shop', names several hosts",
    "postgresql://anna@db/shop?sslmode=require, parameters after ? are not supported",
    "postgresql://anna@db:x/shop, is no port",
    "postgresql://anna@db/%zz, a % is not followed by two digits"
  })
  void refusesWhatItCannotServe(String uri, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConnectionUri.parse(uri))
        .withMessageContaining(message);
  }

  @Test
  void isTheSameAsItsYaml() {
    ConnectionUri uri = ConnectionUri.parse("postgresql://an%22na@db:5433/sh%5Cop%0A");
    LoadedConfig loaded = uri.load(LISTEN, "secret");
    String yaml = uri.yaml(LISTEN, true);
    Map<String, String> environment = Map.of("PGPASSWORD", "secret");

    assertThat(loaded.problems()).isEmpty();
    assertThat(yaml).doesNotContain("secret");
    assertThat(ConfigFile.parse(yaml, "yaml", Path.of(""), environment)).isEqualTo(loaded);
    PgringConfig config = loaded.config();
    assertThat(config.listen()).containsExactly(LISTEN);
    assertThat(config.database("sh\\op\n").primary()).isEqualTo(Address.parse("db:5433"));
    assertThat(config.user("an\"na").password()).isEqualTo("secret");
  }

  @Test
  void withoutAPasswordNobodyIsAskedForOne() {
    LoadedConfig loaded = ConnectionUri.parse("postgresql://anna@db/shop").load(LISTEN, null);

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.config().user("anna").authMethod()).isEqualTo(AuthMethod.TRUST);
  }

  @Test
  void neverPrintsThePassword() {
    assertThat(ConnectionUri.parse("postgresql://anna:topsecret@db/shop"))
        .hasToString("ConnectionUri[anna@db:5432/shop]");
  }
}
