package io.pgring.login;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgring.login.secret.SaltedPasswordCache;
import io.pgring.login.secret.ScramKeys;
import io.pgring.login.secret.ScramVerifier;
import io.pgring.login.secret.Secret;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link ServerLogin}, and our verifiers, against a real PostgreSQL. */
@Timeout(120)
class PostgresLoginTest {
  private static final int SOCKET_TIMEOUT_MS = 20_000;
  private static final int PROTOCOL_3_0 = 196608;
  private static final String HBA =
      """
      local all postgres trust
      host all postgres 127.0.0.1/32 trust
      host all clear 127.0.0.1/32 password
      host all md5u 127.0.0.1/32 md5
      host all free 127.0.0.1/32 trust
      host all all 127.0.0.1/32 scram-sha-256
      """;
  private static final String LONG_PASSWORD = "L".repeat(3000);

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws IOException, SQLException {
    postgres =
        EmbeddedPostgres.builder().setDataDirectoryCustomizer(PostgresLoginTest::writeHba).start();
    execute(
        "CREATE ROLE free LOGIN",
        "CREATE ROLE clear LOGIN PASSWORD 'clearpw'",
        "CREATE ROLE app LOGIN PASSWORD 'apppw'",
        "CREATE ROLE nbsp LOGIN PASSWORD U&'pass\\00A0word'",
        "CREATE ROLE soft LOGIN PASSWORD U&'ab\\00ADcd'",
        "CREATE ROLE nfd LOGIN PASSWORD U&'e\\0301t\\00E9'",
        "CREATE ROLE longu LOGIN PASSWORD '" + LONG_PASSWORD + "'",
        "CREATE ROLE mediumu LOGIN PASSWORD '" + LONG_PASSWORD.substring(0, 1024) + "'",
        "SET password_encryption = 'md5'",
        "CREATE ROLE md5u LOGIN PASSWORD 'mm'");
  }

  private static void writeHba(File dataDirectory) {
    try {
      Files.writeString(dataDirectory.toPath().resolve("pg_hba.conf"), HBA);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  static Arguments[] logins() {
    String refused = "28P01 password authentication failed for user ";
    return new Arguments[] {
      Arguments.of("free", null, "OK"),
      Arguments.of("app", "apppw", "OK"),
      Arguments.of("app", "apppx", refused + "\"app\""),
      Arguments.of("clear", "clearpw", "OK"),
      Arguments.of("clear", "clearpx", refused + "\"clear\""),
      Arguments.of("md5u", "mm", "OK"),
      Arguments.of("md5u", "md5cb9e1f4e3541892ed3d4a528d701aed2", "OK"),
      Arguments.of("md5u", "mn", refused + "\"md5u\""),
      Arguments.of("nbsp", "pass word", "OK"),
      Arguments.of("nbsp", "pass\u00A0word", "OK"),
      Arguments.of("nbsp", "password", refused + "\"nbsp\""),
      Arguments.of("soft", "abcd", "OK"),
      Arguments.of("soft", "ab\u00ADcd", "OK"),
      Arguments.of("nfd", "\u00E9t\u00E9", "OK"),
      Arguments.of("nfd", "e\u0301t\u00E9", "OK"),
      Arguments.of("longu", LONG_PASSWORD, "OK"),
      Arguments.of("longu", LONG_PASSWORD.substring(1), refused + "\"longu\""),
      Arguments.of("mediumu", LONG_PASSWORD.substring(0, 1024), "OK"),
      Arguments.of("mediumu", LONG_PASSWORD.substring(0, 1023), refused + "\"mediumu\"")
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("logins")
  void logsIn(String user, String configured, String expected) throws IOException {
    assertThat(login(user, Exchanges.secretOrNull(configured), null)).isEqualTo(expected);
  }

  @Test
  void theVerifierOfTheServerIsPassedThrough() throws IOException, SQLException {
    Secret verifier = Secret.parse(storedSecretOf("app"));
    ClientLogin client = Exchanges.client(AuthMethod.SCRAM_SHA_256, verifier, "app");
    ServerLogin peer = Exchanges.server("app", Secret.parse("apppw"), null);
    assertThat(Exchanges.converse(client, peer)).isEqualTo("OK");
    assertThat(login("app", verifier, client.keys())).isEqualTo("OK");
    assertThat(login("app", null, client.keys())).isEqualTo("OK");
    assertThat(login("app", verifier, null)).contains("no client has logged in");
    assertThat(login("nbsp", verifier, client.keys())).contains("another salt");
  }

  @Test
  void anMd5HashCannotServeScram() throws IOException {
    Secret md5 = Secret.parse("md5cb9e1f4e3541892ed3d4a528d701aed2");
    assertThat(login("app", md5, null)).contains("md5 hash", "scram-sha-256");
  }

  @Test
  void aSecondLoginNeedsNoKeyDerivation() throws IOException {
    SaltedPasswordCache cache = new SaltedPasswordCache(10);
    Secret secret = Secret.parse("apppw");
    assertThat(loginWith("app", ServerLogin.of("app", secret, null, cache, Exchanges.RANDOM), true))
        .isEqualTo("OK");
    assertThat(
            loginWith("app", ServerLogin.of("app", secret, null, cache, Exchanges.RANDOM), false))
        .isEqualTo("OK");
  }

  /** PostgreSQL itself says what its SASLprep makes of these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\u0007b",
        "a\u00A0b",
        "a\u200Bb",
        "a\u200Db\u00E9",
        "\u00AD",
        "\u00AA\u2168",
        "\u00A0\u0007",
        "\u00A0\uE000",
        "\u00A0\u0221",
        "e\u0341",
        "\u0627\u00A01",
        "\u0627\u00A01\u0628",
        "\u00A0\uD83D\uDE00",
        "\uD835\uDC00\u00A0"
      })
  void preparesPasswordsAsPostgresDoes(String password) throws SQLException {
    execute("DROP ROLE IF EXISTS odd", "CREATE ROLE odd LOGIN PASSWORD '" + password + "'");
    ScramVerifier stored = ScramVerifier.parse(storedSecretOf("odd"));
    assertThat(
            ScramVerifier.of(password.getBytes(UTF_8), stored.salt(), stored.iterations()).format())
        .isEqualTo(stored.format());
  }

  @Test
  void postgresAcceptsOurVerifier() throws IOException, SQLException {
    Secret secret = Secret.parse("fr\u00E9d\u00E9ric");
    execute(
        "DROP ROLE IF EXISTS ours",
        "CREATE ROLE ours LOGIN PASSWORD '" + secret.verifier().format() + "'");
    assertThat(login("ours", secret, null)).isEqualTo("OK");
  }

  /** The texts that {@link ClientLoginTest} expects are those of the real server. */
  @ParameterizedTest
  @MethodSource("io.pgring.login.ClientLoginTest#malformedFirsts")
  void postgresRefusesMalformedFirstMessagesAlike(
      String message, String sqlState, String text, String detailOrNull) throws IOException {
    String expected = sqlState + " " + text + (detailOrNull == null ? "" : " " + detailOrNull);
    assertThat(answerToFirst("app", ClientLoginTest.initial(message))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("io.pgring.login.ClientLoginTest#malformedInitials")
  void postgresRefusesMalformedInitialResponsesAlike(byte[] body, String text) throws IOException {
    assertThat(answerToFirst("app", body)).isEqualTo("08P01 " + text);
  }

  @ParameterizedTest
  @MethodSource("io.pgring.login.ClientLoginTest#malformedPasswords")
  void postgresRefusesMalformedPasswordsAlike(byte[] body, String sqlState, String text)
      throws IOException {
    for (String user : new String[] {"clear", "md5u"}) {
      assertThat(answerToFirst(user, body)).isEqualTo(sqlState + " " + text);
    }
  }

  private static String answerToFirst(String user, byte[] body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), postgres.getPort())) {
      socket.setSoTimeout(SOCKET_TIMEOUT_MS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      socket.getOutputStream().write(startup(user));
      assertThat(in.readByte()).isEqualTo((byte) 'R');
      in.readNBytes(in.readInt() - Integer.BYTES);
      ByteBuffer message = ByteBuffer.allocate(5 + body.length);
      message.put((byte) 'p').putInt(4 + body.length).put(body);
      socket.getOutputStream().write(message.array());
      assertThat(in.readByte()).isEqualTo((byte) 'E');
      return error(in.readNBytes(in.readInt() - Integer.BYTES));
    }
  }

  private static String login(String user, Secret secretOrNull, ScramKeys keysOrNull)
      throws IOException {
    return loginWith(user, Exchanges.server(user, secretOrNull, keysOrNull), true);
  }

  /** Logs in over a plain socket; {@code OK}, the server's error, or ours. */
  private static String loginWith(String user, ServerLogin login, boolean mayDeriveKeys)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), postgres.getPort())) {
      socket.setSoTimeout(SOCKET_TIMEOUT_MS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      out.write(startup(user));
      while (true) {
        byte type = in.readByte();
        byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
        if (type == 'E') {
          return error(body);
        }
        ServerLogin.Step step = Exchanges.authenticateBody(login, body);
        if (step == ServerLogin.Step.NEEDS_KEY_DERIVATION) {
          assertThat(mayDeriveKeys).isTrue();
          login.deriveKeys();
          step = login.resume();
        }
        switch (step) {
          case SEND -> out.write(login.message());
          case OK -> {
            return "OK";
          }
          case FAILED -> {
            return login.failure();
          }
          default -> {}
        }
      }
    }
  }

  private static byte[] startup(String user) {
    byte[] parameters = ("user\0" + user + "\0database\0postgres\0\0").getBytes(UTF_8);
    return ByteBuffer.allocate(8 + parameters.length)
        .putInt(8 + parameters.length)
        .putInt(PROTOCOL_3_0)
        .put(parameters)
        .array();
  }

  /** SQLSTATE, message and detail, which come in this order. */
  private static String error(byte[] body) {
    return Arrays.stream(new String(body, UTF_8).split("\0"))
        .filter(field -> field.matches("(?s)[CMD].*"))
        .map(field -> field.substring(1))
        .collect(Collectors.joining(" "));
  }

  private static String storedSecretOf(String role) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'")) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
