package io.pgring.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class AddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:5432, 127.0.0.1, 5432,",
    "db.example:1, db.example, 1,",
    "*:0, *, 0,",
    "[::1]:6432, ::1, 6432,",
    "unix:/tmp/.s.PGSQL.5432, , 0, /tmp/.s.PGSQL.5432",
    "unix:/tmp/a b:c, , 0, /tmp/a b:c"
  })
  void readsEveryForm(String text, String host, int port, String path) {
    Address address = Address.parse(text);

    assertThat(address.host()).isEqualTo(host);
    assertThat(address.port()).isEqualTo(port);
    assertThat(address.path()).isEqualTo(path);
    assertThat(address.isUnix()).isEqualTo(path != null);
    assertThat(address).hasToString(text).isEqualTo(Address.parse(text));
  }

  @Test
  void refusesAPathThatNoUnixSocketCanHave() {
    String longest = "/" + "x".repeat(Address.MAX_PATH_BYTES - 1);

    assertThat(Address.parse("unix:" + longest).path()).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Address.parse("unix:" + longest + "x"))
        .withMessageContaining("has 107 bytes, and a Unix socket's can have 106");
  }

  @ParameterizedTest
  @CsvSource({"localhost, localhost:5432", "10.0.0.1, 10.0.0.1:5432", "[::1], [::1]:5432"})
  void hasPostgresqlsPortWhenThereIsNone(String text, String full) {
    assertThat(Address.parse(text)).isEqualTo(Address.parse(full)).hasToString(full);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":5432",
        "::1",
        "[",
        "]:1",
        "[]",
        "h:",
        "h:x",
        "h:-1",
        "h:65536",
        "h:123456",
        "::1:5432",
        "[h]:1",
        "a b:1",
        "unix:",
        "unix:relative",
        "h:٣"
      })
  void refusesWhatIsNoAddress(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Address.parse(text))
        .withMessageContaining("'" + text + "'");
  }
}
