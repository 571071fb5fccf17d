package io.pgring.demo;

import io.pgring.config.ConfigKey;
import io.pgring.config.PgringConfig;
import io.pgring.demo.check.Check;
import io.pgring.demo.check.CheckTarget;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs the demo until the process is told to end. Made by the command line, run once by the main
 * thread.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Start a PostgreSQL with sample data and pgring in front of it, until Ctrl-C.")
public final class DemoCommand implements Callable<Integer> {
  private static final int PROXY_PORT = 6432;
  private static final int SERVER_PORT = 55432;
  private static final int POOL_SIZE = 20;
  private static final int CHECK_POOL_SIZE = 6;
  private static final int CHECK_SECONDS = 15;

  @Spec private CommandSpec spec;

  @Option(
      names = "--threading",
      paramLabel = "MODE",
      defaultValue = "fused",
      description =
          "fused: a thread per lane; staged: a thread per stage. Default: ${DEFAULT-VALUE}.")
  private String threading;

  @Option(
      names = "--lanes",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of lanes, or auto. Default: ${DEFAULT-VALUE}.")
  private String lanes;

  @Option(
      names = "--check",
      description =
          "Run a mixed workload through pgring instead, verify the data and end; 0 if all is well.")
  private boolean check;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long the workload of --check runs. Default: " + CHECK_SECONDS + ".")
  private Integer seconds;

  @Override
  public Integer call() throws Exception {
    PgringConfig.Builder config = configuration();
    requireSensibleSeconds();
    PrintWriter out = spec.commandLine().getOut();
    DemoLog log = DemoLog.install(check);
    DemoStand stand = new DemoStand(new Progress(out));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stand), "demo-end"));
    try (stand) {
      return check ? check(stand, config, log, out) : demonstrate(stand, config, out);
    } catch (IOException | SQLException failure) {
      if (!stand.isClosing()) {
        spec.commandLine().getErr().println("pgring: " + failure.getMessage());
      }
      return 1;
    }
  }

  private int demonstrate(DemoStand stand, PgringConfig.Builder config, PrintWriter out)
      throws Exception {
    stand.startServer(SERVER_PORT);
    stand.startProxy(config, POOL_SIZE, PROXY_PORT);
    explain(stand, out);
    new CountDownLatch(1).await();
    return 0;
  }

  private int check(DemoStand stand, PgringConfig.Builder config, DemoLog log, PrintWriter out)
      throws Exception {
    stand.startServer(0);
    stand.startProxy(config, CHECK_POOL_SIZE, 0);
    CheckTarget target =
        new CheckTarget(
            stand.proxyPort(),
            DemoServer.NAME,
            CHECK_POOL_SIZE,
            stand::administration,
            stand::clients,
            log::errors);
    Check check = new Check(target, out);
    boolean passed = check.run(seconds == null ? CHECK_SECONDS : seconds);
    stand.close();
    out.println(check.summary());
    out.flush();
    return passed ? 0 : 1;
  }

  private PgringConfig.Builder configuration() {
    PgringConfig.Builder config = PgringConfig.builder();
    set(config, ConfigKey.THREADING, "--threading", threading);
    set(config, ConfigKey.LANES, "--lanes", lanes);
    return config;
  }

  private void set(PgringConfig.Builder config, ConfigKey key, String option, String value) {
    try {
      config.set(key, value);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), option + " " + wrong.getMessage(), wrong);
    }
  }

  private void requireSensibleSeconds() {
    if (seconds != null && !check) {
      throw new ParameterException(
          spec.commandLine(), "--seconds is for --check: add --check, or leave it out");
    }
    if (seconds != null && seconds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--seconds must be at least 1, not " + seconds);
    }
  }

  private static void explain(DemoStand stand, PrintWriter out) {
    String url = "\"postgresql://demo:demo@127.0.0.1:%d/demo\"";
    out.println();
    out.println("connect:      psql " + url.formatted(stand.proxyPort()));
    out.println("load:         pgbench -n -c 50 -T 10 " + url.formatted(stand.proxyPort()));
    out.printf(
        "console:      psql \"postgresql://demo:demo@127.0.0.1:%d/pgbouncer\" -c 'SHOW POOLS'%n",
        stand.proxyPort());
    out.println("past pgring:  psql " + url.formatted(stand.serverPort()));
    out.println("Ctrl-C stops both and removes the data.");
    out.println();
    out.flush();
  }

  private static void end(DemoStand stand) {
    try {
      stand.close();
    } catch (IOException e) {
      System.err.println("pgring: " + e.getMessage());
    }
  }
}
