package io.pgring.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows that each rule can fail, and that it leaves innocent code alone. */
@Timeout(10)
class RulesTest {
  private static JavaSource source(String module, String packageName, String body) {
    return JavaSource.of(module, module + "/A.java", "package " + packageName + ";\n" + body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import io.pgring.relay.Relay;",
        "import static io.pgring.relay.Relay.LIMIT;",
        "class A { io.pgring.relay.Relay relay; }"
      })
  void aModuleMayNotUseTheOneAboveIt(String body) {
    JavaSource above = source("pipeline", "io.pgring.relay", "");
    JavaSource below = source("transport", "io.pgring.transport", body);
    assertThat(Rules.moduleDirection(List.of(above, below)))
        .containsExactly("transport/A.java: uses io.pgring.relay, which is in pipeline");
  }

  @Test
  void aModuleMayUseTheOneBelowIt() {
    JavaSource below = source("transport", "io.pgring.transport", "");
    JavaSource above = source("pipeline", "io.pgring.relay", "import io.pgring.transport.Slab;");
    assertThat(Rules.moduleDirection(List.of(below, above))).isEmpty();
  }

  @Test
  void aCommentOrALiteralIsNoUse() {
    JavaSource above = source("proxy", "io.pgring", "");
    JavaSource below =
        source(
            "transport",
            "io.pgring.transport",
            "/** {@link io.pgring.Main} */ class A { // io.pgring.Main\n String s = \"io.pgring.Main\"; }");
    assertThat(Rules.moduleDirection(List.of(above, below))).isEmpty();
  }

  @Test
  void aPackageBelongsToOneModule() {
    JavaSource first = source("transport", "io.pgring.login", "");
    JavaSource second = source("proxy", "io.pgring.login", "");
    assertThat(Rules.moduleDirection(List.of(first, second)))
        .containsExactly("proxy/A.java: package io.pgring.login is also in another module");
  }

  @Test
  void aModuleNeedsARule() {
    assertThat(Rules.moduleDirection(List.of(source("extra", "io.pgring.extra", "")))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.pgring.util", "io.pgring.pool.impl", "io.pgring.common.bytes"})
  void emptyPackageNamesAreFound(String name) {
    assertThat(Rules.packageNames(List.of(source("pipeline", name, "")))).hasSize(1);
  }

  @Test
  void aPackageWithoutDescriptionIsFound() {
    assertThat(Rules.packageDescriptions(List.of(source("pipeline", "io.pgring.pool", ""))))
        .containsExactly("io.pgring.pool: has no package-info.java");
  }

  @Test
  void aCycleOverThreePackagesIsFound() {
    JavaSource a = source("pipeline", "io.pgring.a", "import io.pgring.b.B;");
    JavaSource b = source("pipeline", "io.pgring.b", "import io.pgring.c.C;");
    JavaSource c = source("pipeline", "io.pgring.c", "import io.pgring.a.A;");
    JavaSource onTop = source("pipeline", "io.pgring.d", "import io.pgring.a.A;");
    assertThat(Rules.packageCycles(List.of(a, b, c, onTop)))
        .containsExactly(
            "io.pgring.a: is in a cycle of packages: [io.pgring.a, io.pgring.b, io.pgring.c]",
            "io.pgring.b: is in a cycle of packages: [io.pgring.a, io.pgring.b, io.pgring.c]",
            "io.pgring.c: is in a cycle of packages: [io.pgring.a, io.pgring.b, io.pgring.c]");
    assertThat(Rules.packageCycles(List.of(a, b, onTop))).isEmpty();
  }

  @Test
  void sessionAndPoolMayKnowEachOther() {
    JavaSource session = source("pipeline", "io.pgring.session", "import io.pgring.pool.Pool;");
    JavaSource pool = source("pipeline", "io.pgring.pool", "import io.pgring.session.Session;");
    JavaSource relay = source("pipeline", "io.pgring.relay", "import io.pgring.pool.Pool;");
    assertThat(Rules.packageCycles(List.of(session, pool, relay))).isEmpty();
    JavaSource back = source("pipeline", "io.pgring.session", "import io.pgring.relay.Relay;");
    assertThat(Rules.packageCycles(List.of(session, pool, relay, back))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "String s = String.format(\"%d\", 1);",
        "String s = \"%d\".formatted(1);",
        "import java.util.stream.Stream;",
        "int sum = list.stream().count();",
        "long now = System.currentTimeMillis();"
      })
  void coldCodeInAHotPackageIsFound(String body) {
    assertThat(Rules.hotCode(List.of(source("pipeline", "io.pgring.relay", body)))).hasSize(1);
    assertThat(Rules.hotCode(List.of(source("pipeline", "io.pgring.relay.state", body))))
        .hasSize(1);
    assertThat(Rules.hotCode(List.of(source("proxy", "io.pgring.config", body)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "char quote = '\"'; // String.format\n char slash = '\\''; /* .stream() */",
        "String text = \"\"\"\n  a \" String.format(\n\"\"\";",
        "import java.io.InputStream;"
      })
  void innocentCodeInAHotPackageIsLeftAlone(String body) {
    assertThat(Rules.hotCode(List.of(source("pipeline", "io.pgring.relay", body)))).isEmpty();
  }

  @Test
  void socketsInStateAreFound() {
    String body = "import java.nio.channels.SocketChannel;";
    assertThat(Rules.codeWithoutIo(List.of(source("pipeline", "io.pgring.session", body))))
        .hasSize(1);
    assertThat(Rules.codeWithoutIo(List.of(source("pipeline", "io.pgring.relay", body)))).isEmpty();
  }
}
