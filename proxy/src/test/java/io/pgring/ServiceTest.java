package io.pgring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.testkit.PostgresServer;
import io.pgring.testkit.Rig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process as its supervisor sees it: signals, reload, exit codes, health checks, the log. */
@Timeout(120)
class ServiceTest {
  @TempDir private Path directory;
  private final List<Connection> opened = new ArrayList<>();
  private ChildProxy child;

  @AfterEach
  void stop() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
    if (child != null) {
      child.close();
    }
  }

  private Path file() {
    return directory.resolve("pgring.yaml");
  }

  /** Writes the file of a proxy in front of the shared server. */
  private void configure(String password, String more) throws IOException {
    Files.writeString(
        file(),
        """
        listen: ["127.0.0.1:0"]
        http: "127.0.0.1:0"
        admin_users: [boss]
        databases:
          app: { primary: "127.0.0.1:%d" }
        users:
          app: { password: "%s" }
          boss: { password: "secret" }
        """
                .formatted(PostgresServer.shared().port(), password)
            + more);
  }

  private void serve(String more) throws IOException {
    configure("app", more);
    child = ChildProxy.serve(directory, file().toString());
  }

  private Connection connect(String database, String user, String password) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s&connectTimeout=10"
                .formatted(child.port(), database, user, password));
    opened.add(connection);
    return connection;
  }

  private Connection app() throws SQLException {
    return connect("app", "app", "app");
  }

  private Connection inTransaction() throws SQLException {
    Connection connection = app();
    connection.setAutoCommit(false);
    run(connection, "SELECT 1");
    return connection;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void assertEnded(Connection connection) {
    assertThatThrownBy(() -> run(connection, "SELECT 1"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57P01"));
  }

  @Test
  void transactionsMayFinishAfterSigterm() throws Exception {
    serve("");
    Connection busy = inTransaction();
    Connection idle = app();

    child.signal("TERM");
    child.awaitLog("got SIGTERM");

    Rig.eventually(
        "the idle session has ended", () -> child.log().contains("administrator command"));
    assertEnded(idle);
    assertThatThrownBy(this::app).isInstanceOf(SQLException.class);
    run(busy, "SELECT 2");
    busy.commit();
    assertThat(child.exitCode()).isZero();
    assertThat(child.log()).contains("all sessions have ended");
  }

  @Test
  void transactionsThatDoNotFinishInTimeAreEnded() throws Exception {
    serve("shutdown_timeout_s: 1\n");
    Connection busy = inTransaction();

    child.signal("INT");

    assertThat(child.exitCode()).isZero();
    assertEnded(busy);
  }

  @Test
  void aSecondSignalStopsAtOnce() throws Exception {
    serve("shutdown_timeout_s: 600\n");
    Connection busy = inTransaction();
    child.signal("TERM");
    child.awaitLog("got SIGTERM");
    run(busy, "SELECT 2");

    child.signal("TERM");

    assertThat(child.exitCode()).isZero();
    assertEnded(busy);
  }

  @Test
  void sighupPutsAChangedFileInForce() throws Exception {
    serve("");
    Connection before = app();
    configure("other", "lanes: 3\n");

    child.signal("HUP");
    child.awaitLog("the configuration was reloaded");

    assertThat(child.log()).contains("in force only after a restart: lanes");
    run(before, "SELECT 1");
    assertThatThrownBy(this::app).hasMessageContaining("password authentication failed");
    child.awaitLog("pooler error: password authentication failed for user \"app\"");
  }

  @Test
  void aFileWithErrorsChangesNothing() throws Exception {
    serve("");
    configure("other", "lames: 3\nthreading: x\n");

    child.signal("HUP");
    child.awaitLog("the old configuration stays in force");

    assertThat(child.log()).contains("did you mean lanes?", "threading: must be fused or staged");
    app();
    assertThatThrownBy(() -> run(connect("pgbouncer", "boss", "secret"), "RELOAD"))
        .hasMessageContaining("did you mean lanes?");
  }

  @Test
  void theConsoleReloadsAndShutsDown() throws Exception {
    serve("");
    configure("other", "");
    Connection console = connect("pgbouncer", "boss", "secret");

    run(console, "RELOAD;");
    Connection busy = app("other");
    busy.setAutoCommit(false);
    run(busy, "SELECT 1");
    run(console, "SHUTDOWN WAIT_FOR_SERVERS");
    child.awaitLog("SHUTDOWN WAIT_FOR_SERVERS command issued by boss");

    run(busy, "SELECT 1");
    busy.commit();
    assertThat(child.exitCode()).isZero();
  }

  private Connection app(String password) throws SQLException {
    return connect("app", "app", password);
  }

  @Test
  void theConsoleStopsAtOnce() throws Exception {
    serve("shutdown_timeout_s: 600\n");
    Connection busy = inTransaction();

    run(connect("pgbouncer", "boss", "secret"), "shutdown");

    assertThat(child.exitCode()).isZero();
    assertEnded(busy);
  }

  @Test
  void answersHealthChecks() throws Exception {
    serve("shutdown_timeout_s: 600\n");
    assertThat(get("/healthz")).isEqualTo("200 ok\n");
    assertThat(get("/readyz")).isEqualTo("200 ok\n");
    assertThat(get("/healthz/x")).startsWith("404");
    Connection busy = inTransaction();

    child.signal("TERM");
    child.awaitLog("got SIGTERM");

    Rig.eventually("not ready", () -> get("/readyz").equals("503 shutting down\n"));
    assertThat(get("/healthz")).isEqualTo("200 ok\n");
    busy.commit();
    assertThat(child.exitCode()).isZero();
  }

  private String get(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + child.httpPort() + path))
            .timeout(Duration.ofSeconds(20))
            .build();
    try {
      HttpResponse<String> response =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() + " " + response.body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void isNotReadyWhileNoServerAnswers() throws Exception {
    Files.writeString(
        file(),
        """
        listen: ["127.0.0.1:0"]
        http: "127.0.0.1:0"
        client_login_timeout_s: 1
        databases:
          app: { primary: "127.0.0.1:1" }
        users:
          app: { password: "app" }
        """);
    child = ChildProxy.serve(directory, file().toString());
    assertThat(get("/readyz")).startsWith("200");

    assertThatThrownBy(this::app).hasMessageContaining("no healthy server");

    assertThat(get("/readyz")).startsWith("503 no server connection could be made: connect failed");
    assertThat(get("/healthz")).startsWith("200");
  }

  @Test
  void logsEachLoginAndEachEnd() throws Exception {
    serve("");
    Connection client = app();
    run(client, "SELECT 1");
    client.close();
    child.awaitLog("closing because: client close request (age=");

    assertThat(child.log())
        .containsPattern(
            "INFO C-\\d+: app/app@127\\.0\\.0\\.1:\\d+ login attempt: db=app user=app tls=no")
        .containsPattern("INFO C-\\d+: app/app@127\\.0\\.0\\.1:\\d+ closing because: client close")
        .containsPattern(
            "INFO S-\\d+: app/app@127\\.0\\.0\\.1:\\d+ new connection to server \\(from 127");
  }

  @Test
  void servesWhatAUriNames() throws Exception {
    child =
        ChildProxy.serve(
            directory,
            "--to",
            "postgresql://app:app@127.0.0.1:" + PostgresServer.shared().port() + "/app",
            "--listen",
            "127.0.0.1:0");
    run(app(), "SELECT 1");
    child.awaitLog("psql -h 127.0.0.1 -p " + child.port() + " -U app -d app");
  }

  @Test
  void namesTheAddressThatIsTaken() throws Exception {
    serve("");
    Path second = Files.createDirectory(directory.resolve("second"));
    Path taken = second.resolve("pgring.yaml");
    Files.writeString(
        taken,
        Files.readString(file())
            .replace("[\"127.0.0.1:0\"]", "[\"127.0.0.1:" + child.port() + "\"]"));

    assertThatThrownBy(() -> ChildProxy.serve(second, taken.toString()).close())
        .hasMessageContaining("cannot listen on 127.0.0.1:" + child.port());
  }
}
