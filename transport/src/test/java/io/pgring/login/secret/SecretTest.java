package io.pgring.login.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgring.login.secret.Secret.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SecretTest {
  private static final String VERIFIER =
      "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw==$THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U="
          + ":7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ=";
  private static final String MD5 = "md5cb9e1f4e3541892ed3d4a528d701aed2";

  @ParameterizedTest
  @CsvSource({
    "secret, PLAINTEXT",
    "md5, PLAINTEXT",
    "md5isbroken, PLAINTEXT",
    "SCRAM, PLAINTEXT",
    "'$4096:x', PLAINTEXT",
    MD5 + ", MD5_HASH",
    VERIFIER + ", SCRAM_VERIFIER"
  })
  void kindIsToldByTheForm(String configured, Kind kind) {
    assertThat(Secret.parse(configured).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a\0b",
        "md5cb9e1f4e3541892ed3d4a528d701aed",
        "md5cb9e1f4e3541892ed3d4a528d701aed2a",
        "md5CB9E1F4E3541892ED3D4A528D701AED2",
        "md5gb9e1f4e3541892ed3d4a528d701aed2",
        "SCRAM-SHA-256",
        "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw==",
        "scram-sha-256$4096:AAECAwQFBgcICQoLDA0ODw==$x:y",
        "SCRAM-SHA-512$4096:AAECAwQFBgcICQoLDA0ODw==$x:y",
        VERIFIER + " ",
        "SCRAM-SHA-256$0:AAECAwQFBgcICQoLDA0ODw==$THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U="
            + ":7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ=",
        "SCRAM-SHA-256$10000001:AAECAwQFBgcICQoLDA0ODw==$THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U="
            + ":7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ=",
        "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw=$THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U="
            + ":7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ="
      })
  void malformedSecretsAreRefusedAndNotRepeated(String configured) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Secret.parse(configured))
        .satisfies(
            e -> {
              if (configured.length() > 20) {
                assertThat(e.getMessage()).doesNotContain(configured.substring(16));
              }
            });
  }

  @Test
  void nothingPrintedShowsTheSecret() {
    for (String configured : new String[] {"hunter2", MD5, VERIFIER}) {
      Secret secret = Secret.parse(configured);
      assertThat(secret.toString()).isEqualTo("Secret[" + secret.kind() + "]");
      assertThat(String.valueOf(secret.verifier())).doesNotContain("=$", "hunter2", "THoP");
    }
    assertThat(ScramKeys.deriveKeys(utf8("x"), new byte[16], 1).toString()).isEqualTo("ScramKeys");
  }

  @Test
  void plainPasswordHasOneVerifierWithItsOwnSalt() {
    Secret secret = Secret.parse("secret");
    secret.prepare();
    ScramVerifier verifier = secret.verifier();
    assertThat(secret.verifier()).isSameAs(verifier);
    assertThat(verifier.iterations()).isEqualTo(4096);
    assertThat(verifier.salt()).hasSize(16);
    assertThat(Secret.parse("secret").verifier().salt()).isNotEqualTo(verifier.salt());
    assertThat(ScramVerifier.of(utf8("secret"), verifier.salt(), 4096).isSameAs(verifier)).isTrue();
  }

  @Test
  void md5ResponseIsThatOfLibpq() {
    byte[] salt = {1, 2, 3, 4};
    String expected = "md583178f47f66f59eaf91d93715fd544f9";
    assertThat(Secret.parse("mm").md5Response("md5u", salt)).asString(UTF_8).isEqualTo(expected);
    assertThat(Secret.parse(MD5).md5Response("md5u", salt)).asString(UTF_8).isEqualTo(expected);
    assertThat(Secret.parse(VERIFIER).md5Response("md5u", salt)).isNull();
  }

  @Test
  void equalSecretsAreInterchangeable() {
    for (String configured : new String[] {"hunter2", MD5, VERIFIER}) {
      assertThat(Secret.parse(configured))
          .isEqualTo(Secret.parse(configured))
          .hasSameHashCodeAs(Secret.parse(configured));
    }
    assertThat(Secret.parse("hunter2")).isNotEqualTo(Secret.parse("hunter3"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
