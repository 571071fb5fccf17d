package io.pgring.admin;

import io.pgring.admin.show.Reports;
import io.pgring.config.PgringConfig;
import io.pgring.relay.Console;
import io.pgring.relay.Shared;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The console of one proxy. Admits {@code admin_users} and {@code stats_users}; the latter may only
 * look. Lives as long as the proxy; its sessions run on the relay thread of their lane.
 */
public final class AdminConsole implements Console {
  private static final long STATS_PERIOD_S = 60;

  private final Operations operations;
  private final ScheduledExecutorService background;
  private final Reports reports;

  /**
   * @param version what SHOW VERSION shows
   * @param background for what is looked at again later
   */
  public AdminConsole(String version, Operations operations, ScheduledExecutorService background) {
    this.reports = new Reports(version);
    this.operations = operations;
    this.background = background;
  }

  /** Begins to keep averages for SHOW STATS; once, when the lanes run. */
  public void start(Shared shared) {
    background.scheduleAtFixedRate(
        () -> reports.endPeriod(shared), STATS_PERIOD_S, STATS_PERIOD_S, TimeUnit.SECONDS);
  }

  @Override
  public Session open(Shared shared, String user) {
    PgringConfig config = shared.config();
    if (!config.adminUsers().contains(user) && !config.statsUsers().contains(user)) {
      return null;
    }
    Administration administration = new Administration(shared, background);
    return new ConsoleSession(
        new Commands(user, shared, reports, operations, administration, parameters()));
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    // Drivers derive from it what they may send: this is the oldest version that PostgreSQL
    // supports.
    parameters.put("server_version", "14.0 (pgring)");
    parameters.put("client_encoding", "UTF8");
    parameters.put("server_encoding", "UTF8");
    parameters.put("DateStyle", "ISO, MDY");
    parameters.put("TimeZone", "UTC");
    parameters.put("standard_conforming_strings", "on");
    parameters.put("integer_datetimes", "on");
    parameters.put("is_superuser", "off");
    return parameters;
  }
}
