package io.pgring.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class JsonLineTest {
  @Test
  void writesAllKindsOfValues() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("text", "a\"b\\c\nd\u00e9");
    map.put("whole", 12L);
    map.put("real", 1.23456789);
    map.put("none", Double.NaN);
    map.put("nothing", null);
    map.put("yes", true);
    map.put("list", Arrays.asList(1, "x", Map.of("k", 2.5)));
    map.put("empty", List.of());
    map.put("hollow", Map.of());
    assertThat(JsonLine.of(map))
        .isEqualTo(
            "{\"text\":\"a\\\"b\\\\c\\u000ad\u00e9\",\"whole\":12,\"real\":1.2346,\"none\":null,"
                + "\"nothing\":null,\"yes\":true,\"list\":[1,\"x\",{\"k\":2.5}],\"empty\":[],"
                + "\"hollow\":{}}");
  }
}
