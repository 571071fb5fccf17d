package io.pgring.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgring.config.PgringConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoStandTest {
  private final StringWriter screen = new StringWriter();
  private final DemoStand stand = new DemoStand(new Progress(new PrintWriter(screen)));

  @Test
  void letsClientsReachTheSampleDataUntilItIsClosed() throws Exception {
    try (stand) {
      stand.startServer(0);
      stand.startProxy(PgringConfig.builder(), 2, 0);

      assertThat(accounts(stand.proxyPort(), "demo")).isEqualTo(SampleData.ACCOUNTS);
      assertThatThrownBy(() -> accounts(stand.proxyPort(), "wrong"))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> accounts(stand.serverPort(), "wrong"))
          .isInstanceOf(SQLException.class);
    }

    assertThat(screen.toString().lines()).hasSize(3);
    assertThatThrownBy(() -> stand.startServer(0)).hasMessageContaining("is being ended");
  }

  private static int accounts(int port, String password) throws SQLException {
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/demo";
    try (Connection connection = DriverManager.getConnection(url, "demo", password);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM pgbench_accounts")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
