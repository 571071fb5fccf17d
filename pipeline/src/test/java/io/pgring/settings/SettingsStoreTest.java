package io.pgring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SettingsStoreTest {
  private final SettingsStore store = new SettingsStore();
  private final ReportedSettings reported =
      new ReportedSettings("S\0\0\0\u0011TimeZone\0UTC\0".getBytes(StandardCharsets.ISO_8859_1));

  @Test
  void doubtfulSettingsAreSentAgain() {
    SessionSettings settings = store.of(Map.of("work_mem", "5MB"));
    SessionSettings doubtful = store.doubtful(settings, reported);

    assertThat(doubtful).isNotSameAs(settings);
    assertThat(text(settings.changeFrom(doubtful, reported))).contains("work_mem", "5MB");
    assertThat(text(SettingsStore.NONE.changeFrom(doubtful, reported))).contains("reset work_mem");
  }

  @Test
  void reportedSettingsAreNeverInDoubt() {
    SessionSettings settings = store.of(Map.of("TimeZone", "Asia/Tokyo"));

    assertThat(store.doubtful(settings, reported)).isSameAs(settings);
    assertThat(store.doubtful(SettingsStore.NONE, reported)).isSameAs(SettingsStore.NONE);
  }

  private static String text(SettingsChange change) {
    return new String(change.messages(), StandardCharsets.ISO_8859_1);
  }
}
