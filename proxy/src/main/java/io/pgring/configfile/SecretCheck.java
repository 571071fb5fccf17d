package io.pgring.configfile;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import io.pgring.config.DatabaseConfig;
import io.pgring.config.PgringConfig;
import io.pgring.config.UserConfig;
import io.pgring.login.AuthMethod;
import io.pgring.login.secret.Secret;
import io.pgring.transport.Address;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;

/** Finds users who cannot log in, databases nobody can log in to, and doors left open. */
final class SecretCheck {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");
  private static final String GIVE_PASSWORD = "give the password itself";

  private final PgringConfig config;
  private final Positions positions;
  private final ProblemReport report;

  SecretCheck(PgringConfig config, Positions positions, ProblemReport report) {
    this.config = config;
    this.positions = positions;
    this.report = report;
  }

  void run() {
    config.users().values().forEach(this::checkUser);
    config.databases().values().forEach(this::checkDatabase);
  }

  private void checkUser(UserConfig user) {
    String path = ConfigReader.USERS + "." + user.name();
    Node value = positions.value(ConfigScope.USER, user.name(), ConfigKey.PASSWORD);
    Node name = positions.owner(ConfigScope.USER, user.name());
    boolean isTrusted = user.authMethod() == AuthMethod.TRUST;
    if (value == null && !isTrusted) {
      String cure = "add one, or auth_type: trust to ask for none";
      report.error(name, path, "has no password, so that nobody can log in", cure);
    }
    if (isTrusted && isReachableFromElsewhere()) {
      String wrong = "is let in without a password from other machines too";
      report.warning(name, path, wrong, "listen on 127.0.0.1 or a Unix socket, or set auth_type");
    }
    if (user.password() != null && kind(user.password()) == Secret.Kind.MD5_HASH) {
      checkMd5Hash(user, path + ".password", value);
    }
  }

  private void checkMd5Hash(UserConfig user, String path, Node value) {
    if (user.name().equals(PgringConfig.ANY)) {
      report.error(value, path, "an md5 hash holds for one user name only", GIVE_PASSWORD);
      return;
    }
    boolean usedForServers =
        config.databases().values().stream()
            .anyMatch(database -> logsInWithSecretOf(database, user));
    if (usedForServers) {
      report.warning(
          value,
          path,
          "an md5 hash logs in only to servers that ask for md5",
          GIVE_PASSWORD + " or a SCRAM verifier if the server uses SCRAM");
    }
  }

  private static boolean logsInWithSecretOf(DatabaseConfig database, UserConfig user) {
    String serverUser = database.serverUser();
    return database.serverPassword() == null
        && (serverUser == null || serverUser.equals(user.name()));
  }

  private void checkDatabase(DatabaseConfig database) {
    String name = database.name();
    String path = ConfigReader.DATABASES + "." + name;
    Node user = positions.value(ConfigScope.DATABASE, name, ConfigKey.SERVER_USER);
    Node password = positions.value(ConfigScope.DATABASE, name, ConfigKey.SERVER_PASSWORD);
    if (database.serverPassword() != null) {
      checkServerPassword(database, path + ".password", password);
    }
    if (user != null && password == null && config.user(database.serverUser()) == null) {
      String wrong = "there is no password for " + database.serverUser();
      report.warning(user, path + ".user", wrong, "the server must let it in without one");
    }
  }

  private void checkServerPassword(DatabaseConfig database, String path, Node value) {
    switch (kind(database.serverPassword())) {
      case SCRAM_VERIFIER ->
          report.error(value, path, "a SCRAM verifier cannot log in to a server", GIVE_PASSWORD);
      case MD5_HASH -> {
        String wrong = "an md5 hash logs in only to servers that ask for md5";
        report.warning(value, path, wrong, GIVE_PASSWORD + " if the server uses SCRAM");
      }
      case PLAINTEXT -> {}
    }
  }

  private boolean isReachableFromElsewhere() {
    for (Address address : config.listen()) {
      if (!address.isUnix() && !LOOPBACK.contains(address.host())) {
        return true;
      }
    }
    return false;
  }

  private static Secret.Kind kind(String secret) {
    return Secret.parse(secret).kind();
  }
}
