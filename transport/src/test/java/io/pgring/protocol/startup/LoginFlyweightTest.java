package io.pgring.protocol.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.protocol.BackendEncoder;
import io.pgring.protocol.WireBytes;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class LoginFlyweightTest {
  private static final int OFFSET = 5;

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
  private final AuthenticationFlyweight authentication = new AuthenticationFlyweight();

  @Test
  void readsPassword() {
    PasswordFlyweight password = new PasswordFlyweight();
    assertThat(password.wrap(buffer, OFFSET, put("70 0000000b 'secret' 00")).valid()).isTrue();
    assertThat(text(password.passwordOffset(), password.passwordLength())).isEqualTo("secret");
  }

  @Test
  void readsSaslInitialResponse() {
    SaslInitialResponseFlyweight response = new SaslInitialResponseFlyweight();
    int length = put("70 0000001c 'SCRAM-SHA-256' 00 00000006 'n,,n=,'");
    assertThat(response.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(text(response.mechanismOffset(), response.mechanismLength()))
        .isEqualTo("SCRAM-SHA-256");
    assertThat(text(response.dataOffset(), response.dataLength())).isEqualTo("n,,n=,");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "70 0000000a 'X' 00 ffffffff, true",
        "70 0000000a 'X' 00 00000000, true",
        "70 0000000a 'X' 00 fffffffe, false",
        "70 0000000b 'X' 00 ffffffff 00, false",
        "70 0000000b 'X' 00 00000002 'a', false"
      })
  void checksTheLengthOfSaslData(String golden, boolean valid) {
    SaslInitialResponseFlyweight response = new SaslInitialResponseFlyweight();
    assertThat(response.wrap(buffer, OFFSET, put(golden)).valid()).isEqualTo(valid);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "52 00000008 00000000, 0, 0",
        "52 00000008 00000002, 2, 0",
        "52 00000008 00000003, 3, 0",
        "52 0000000c 00000005 01020304, 5, 4",
        "52 00000008 00000007, 7, 0",
        "52 0000000a 00000008 0102, 8, 2",
        "52 00000008 00000009, 9, 0",
        "52 0000000b 0000000a 'X' 00 00, 10, 3",
        "52 0000000a 0000000b 'r=', 11, 2",
        "52 0000000a 0000000c 'v=', 12, 2"
      })
  void readsAuthentication(String golden, int code, int dataLength) {
    assertThat(authentication.wrap(buffer, OFFSET, put(golden)).valid()).isTrue();
    assertThat(authentication.code()).isEqualTo(code);
    assertThat(authentication.dataOffset()).isEqualTo(OFFSET + 9);
    assertThat(authentication.dataLength()).isEqualTo(dataLength);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "52 00000009 00000000 00",
        "52 0000000b 00000005 010203",
        "52 0000000d 00000005 0102030405",
        "52 00000008 0000000a",
        "52 00000009 0000000a 00",
        "52 0000000a 0000000a 'X' 00",
        "52 0000000c 0000000a 'X' 00 00 00",
        "52 00000008 00000001",
        "52 00000008 0000000d",
        "52 00000008 ffffffff"
      })
  void refusesAuthentication(String golden) {
    assertThat(authentication.wrap(buffer, OFFSET, put(golden)).valid()).isFalse();
    assertThat(authentication.code()).isEqualTo(WireBytes.of(golden)[8]);
    assertThat(authentication.offers(new byte[] {'X'})).isFalse();
  }

  @Test
  void hasNoCodeInATruncatedAuthentication() {
    assertThat(authentication.wrap(buffer, OFFSET, put("52 00000007 000000")).code()).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "SCRAM-SHA-256, true",
    "SCRAM-SHA-256-PLUS, true",
    "SCRAM-SHA-25, false",
    "SCRAM-SHA-1, false",
    "PLAIN, false",
    "'', false"
  })
  void knowsOfferedMechanisms(String mechanism, boolean offered) {
    int length = put("52 0000002a 0000000a 'SCRAM-SHA-256-PLUS' 00 'SCRAM-SHA-256' 00 00");
    authentication.wrap(buffer, OFFSET, length);
    assertThat(authentication.offers(mechanism.getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(offered);
  }

  @Test
  void readsBackendKeyData() {
    BackendKeyDataFlyweight keyData = new BackendKeyDataFlyweight();
    assertThat(keyData.wrap(buffer, OFFSET, put("4b 0000000c 00000102 'keys'")).valid()).isTrue();
    assertThat(keyData.pid()).isEqualTo(258);
    assertThat(text(keyData.keyOffset(), keyData.keyLength())).isEqualTo("keys");
  }

  @ParameterizedTest
  @CsvSource({"0, false", "3, false", "4, true", "32, true", "256, true", "257, false"})
  void takesKeysOf4To256Bytes(int keyLength, boolean valid) {
    int length = BackendEncoder.backendKeyData(buffer, OFFSET, 1, new byte[keyLength]);
    BackendKeyDataFlyweight keyData = new BackendKeyDataFlyweight();
    assertThat(keyData.wrap(buffer, OFFSET, length).valid()).isEqualTo(valid);
  }

  @Test
  void readsNegotiateProtocolVersion() {
    NegotiateProtocolVersionFlyweight negotiation = new NegotiateProtocolVersionFlyweight();
    int length = put("76 00000015 00030002 00000002 '_pq_.a' 00 'b' 00");
    assertThat(negotiation.wrap(buffer, OFFSET, length).valid()).isTrue();
    assertThat(negotiation.newestProtocol()).isEqualTo(196610);
    assertThat(negotiation.optionCount()).isEqualTo(2);
    assertThat(negotiation.next()).isTrue();
    assertThat(text(negotiation.optionOffset(), negotiation.optionLength())).isEqualTo("_pq_.a");
    assertThat(negotiation.next()).isTrue();
    assertThat(text(negotiation.optionOffset(), negotiation.optionLength())).isEqualTo("b");
    assertThat(negotiation.next()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "76 0000000c 00030000 00000001",
        "76 0000000c 00030000 ffffffff",
        "76 0000000c 00030000 7fffffff",
        "76 0000000d 00030000 00000000 00",
        "76 00000008 00030000"
      })
  void refusesNegotiateProtocolVersion(String golden) {
    NegotiateProtocolVersionFlyweight negotiation = new NegotiateProtocolVersionFlyweight();
    assertThat(negotiation.wrap(buffer, OFFSET, put(golden)).valid()).isFalse();
    assertThat(negotiation.next()).isFalse();
  }

  private int put(String golden) {
    byte[] bytes = WireBytes.of(golden);
    buffer.putBytes(OFFSET, bytes);
    return bytes.length;
  }

  private String text(int offset, int length) {
    return WireBytes.text(buffer, offset, length);
  }
}
