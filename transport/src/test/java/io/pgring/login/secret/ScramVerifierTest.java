package io.pgring.login.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class ScramVerifierTest {
  private static final byte[] SALT = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  private static final String SALTED_4096 = "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw==$";

  /** The exchange of RFC 7677 section 3. */
  private static final String RFC_AUTH_MESSAGE =
      "n=user,r=rOprNGfwEbeRWgbNEkqO,"
          + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
          + "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";

  static Arguments[] verifiers() {
    String secret =
        "THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U=:7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ=";
    String spaced =
        "j/VoiRO65AYD0ylfz3CvwkSu8iMA9H/5/EC2AVeQ1ZU=:YtkGKEUB7bKpC1VrVUaT8cFztKwgoDnGKfqw4XknsY0=";
    String plain =
        "N7xUsGEhrpf3HrzDpaKQASOIB5OtAl26XlgrrSC5WfI=:5asbe5+PZDdG63wDaYv8VJqmsL3XDdqgIRWK8PuXqDg=";
    String accented =
        "vtiT4Lyz3lMaLLWTM3aQNFdofH8cw6xt66lFph+NZ00=:xWaj54kiDOLKqWX8q1QiTJoluYoR1bUMGhZa4HtNrg4=";
    String longest =
        "FK2ySTifkzPxHZwdZXrnodI41bAvy1KnV2TDFWf1zuI=:FMOp3btlW5VwRTIrxfz/Z7qoeF/Y1rAWU8HodS0XeO4=";
    return new Arguments[] {
      Arguments.of("secret", secret),
      Arguments.of("pass word", spaced),
      Arguments.of("pass\u00A0word", spaced),
      Arguments.of("abcd", plain),
      Arguments.of("ab\u00ADcd", plain),
      Arguments.of("\u00E9t\u00E9", accented),
      Arguments.of("e\u0301t\u00E9", accented),
      Arguments.of("L".repeat(3000), longest)
    };
  }

  @ParameterizedTest
  @MethodSource("verifiers")
  void verifierIsThatOfPostgres(String password, String keys) {
    ScramVerifier verifier = ScramVerifier.of(password.getBytes(UTF_8), SALT, 4096);
    assertThat(verifier.format()).isEqualTo(SALTED_4096 + keys);
    assertThat(ScramVerifier.parse(SALTED_4096 + keys).isSameAs(verifier)).isTrue();
  }

  @Test
  void aSaltOfAnyLengthAndOneIterationAreRead() {
    String text =
        "SCRAM-SHA-256$1:QQ==$THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U="
            + ":7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ=";
    assertThat(ScramVerifier.parse(text).salt()).containsExactly('A');
    assertThat(ScramVerifier.parse(text).iterations()).isEqualTo(1);
    assertThat(ScramVerifier.parse(text).format()).isEqualTo(text);
  }

  @Test
  void proofAndSignatureAreThoseOfRfc7677() {
    byte[] authMessage = RFC_AUTH_MESSAGE.getBytes(UTF_8);
    byte[] salt = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    byte[] proof = Base64.getDecoder().decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
    byte[] signature = Base64.getDecoder().decode("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    ScramKeys keys = ScramKeys.deriveKeys("pencil".getBytes(UTF_8), salt, 4096);
    assertThat(keys.proof(authMessage)).isEqualTo(proof);
    assertThat(keys.isServerSignature(authMessage, signature)).isTrue();
    assertThat(keys.verifier().serverSignature(authMessage)).isEqualTo(signature);
  }

  @Test
  void aProofYieldsTheKeysItWasMadeWith() {
    byte[] authMessage = {1, 2, 3};
    ScramKeys keys = ScramKeys.deriveKeys("pencil".getBytes(UTF_8), SALT, 2);
    ScramKeys recovered = keys.verifier().keysOfProof(authMessage, keys.proof(authMessage));
    assertThat(recovered.proof(new byte[] {9})).isEqualTo(keys.proof(new byte[] {9}));
    assertThat(recovered.fits(SALT, 2)).isTrue();
    assertThat(recovered.fits(SALT, 3)).isFalse();
    assertThat(recovered.fits(new byte[16], 2)).isFalse();
  }

  @Test
  void aWrongProofYieldsNothing() {
    byte[] authMessage = {1, 2, 3};
    ScramKeys keys = ScramKeys.deriveKeys("pencil".getBytes(UTF_8), SALT, 2);
    byte[] proof = keys.proof(authMessage);
    for (int bit = 0; bit < proof.length * 8; bit++) {
      byte[] wrong = proof.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(keys.verifier().keysOfProof(authMessage, wrong)).isNull();
    }
    assertThat(keys.verifier().keysOfProof(authMessage, new byte[31])).isNull();
    assertThat(keys.verifier().keysOfProof(new byte[] {1, 2, 4}, proof)).isNull();
  }

  @Test
  void mockSaltsAreStableAndDiffer() {
    MockSalts mocks = new MockSalts(new SecureRandom());
    assertThat(mocks.verifierFor("a").salt()).hasSize(16).isEqualTo(mocks.verifierFor("a").salt());
    assertThat(mocks.verifierFor("b").salt()).isNotEqualTo(mocks.verifierFor("a").salt());
    assertThat(new MockSalts(new SecureRandom()).verifierFor("a").salt())
        .isNotEqualTo(mocks.verifierFor("a").salt());
  }
}
