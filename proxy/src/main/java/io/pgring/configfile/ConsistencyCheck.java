package io.pgring.configfile;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import io.pgring.config.DatabaseConfig;
import io.pgring.config.PgringConfig;
import io.pgring.transport.Address;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Finds what is missing and values that contradict each other, though each may be right alone. */
final class ConsistencyCheck {
  private static final String CONSOLE = "pgbouncer";

  private final PgringConfig config;
  private final Positions positions;
  private final ProblemReport report;

  ConsistencyCheck(PgringConfig config, Positions positions, ProblemReport report) {
    this.config = config;
    this.positions = positions;
    this.report = report;
  }

  void run() {
    checkListen();
    checkHttp();
    checkSections();
    checkGlobals();
    config.databases().values().forEach(this::checkDatabase);
    new SecretCheck(config, positions, report).run();
  }

  private void checkListen() {
    Node node = positions.value(ConfigScope.GLOBAL, null, ConfigKey.LISTEN);
    if (!isSound(ConfigKey.LISTEN) || !(node instanceof SequenceNode sequence)) {
      return;
    }
    List<Address> addresses = config.listen();
    if (addresses.isEmpty()) {
      report.error(node, "listen", "is empty, so that no client can connect", "name an address");
    }
    Set<Address> known = new HashSet<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (!known.add(addresses.get(i))) {
        Node element = sequence.getValue().get(i);
        report.error(element, "listen", addresses.get(i) + " is named twice", "remove one of them");
      }
    }
    // Port 0 is any free one, for each of them another.
    if (config.http() != null && config.http().port() != 0 && known.contains(config.http())) {
      report.error(http(), "http", "is also in listen", "use another port");
    }
  }

  private void checkHttp() {
    if (config.http() != null && config.http().isUnix()) {
      report.error(http(), "http", "cannot be a Unix socket", "write host:port");
    }
  }

  private Node http() {
    return positions.value(ConfigScope.GLOBAL, null, ConfigKey.HTTP);
  }

  private void checkSections() {
    checkSection(
        ConfigScope.DATABASE,
        ConfigReader.DATABASES,
        config.databases().isEmpty(),
        "add one, like databases: { shop: { primary: \"127.0.0.1:5432\" } }");
    checkSection(
        ConfigScope.USER,
        ConfigReader.USERS,
        config.users().isEmpty(),
        "add one, like users: { anna: { password: { env: ANNA_PASSWORD } } }");
    checkNamedUsers(ConfigKey.ADMIN_USERS, config.adminUsers());
    checkNamedUsers(ConfigKey.STATS_USERS, config.statsUsers());
  }

  private void checkSection(ConfigScope scope, String name, boolean isEmpty, String cure) {
    Node section = positions.owner(scope, null);
    if (isEmpty && (section == null || section instanceof MappingNode)) {
      report.error(section == null ? positions.root() : section, name, "there are none", cure);
    }
  }

  private void checkNamedUsers(ConfigKey key, List<String> names) {
    Node node = positions.value(ConfigScope.GLOBAL, null, key);
    for (String name : names) {
      if (config.user(name) == null) {
        String cure = "add " + name + " to users, so that it can log in";
        report.error(node, key.yamlName(), name + " is not in users", cure);
      }
    }
  }

  private void checkGlobals() {
    checkAtMost(ConfigKey.MIN_POOL_SIZE, ConfigKey.DEFAULT_POOL_SIZE);
    checkAtMost(ConfigKey.CLIENT_WINDOW_BYTES, ConfigKey.FRAME_ARENA_BYTES);
    checkAtMost(ConfigKey.MAX_STARTUP_BYTES, ConfigKey.MAX_MESSAGE_BYTES);
    checkNeeds(ConfigKey.RESERVE_POOL_SIZE, ConfigKey.RESERVE_POOL_TIMEOUT_S);
    checkNeeds(ConfigKey.TCP_KEEPIDLE_S, ConfigKey.TCP_KEEPALIVE);
    checkNeeds(ConfigKey.TCP_KEEPINTVL_S, ConfigKey.TCP_KEEPALIVE);
    checkNeeds(ConfigKey.TCP_KEEPCNT, ConfigKey.TCP_KEEPALIVE);
  }

  /** Reports at whichever of the two was given, since the other may be a default. */
  private void checkAtMost(ConfigKey lower, ConfigKey upper) {
    Node node = firstGiven(ConfigScope.GLOBAL, null, lower, upper);
    if (node == null || !isSound(lower) || !isSound(upper)) {
      return;
    }
    long low = Long.parseLong(config.settings().text(lower));
    long high = Long.parseLong(config.settings().text(upper));
    if (low > high) {
      String wrong = "is " + low + ", more than " + upper.yamlName() + ", which is " + high;
      report.error(node, lower.yamlName(), wrong, "lower it or raise " + upper.yamlName());
    }
  }

  /** Reports a value above zero that has no effect because of another that is zero or false. */
  private void checkNeeds(ConfigKey key, ConfigKey needed) {
    String text = config.settings().text(needed);
    boolean isOff = text.equals("0") || text.equals("false");
    Node node = positions.value(ConfigScope.GLOBAL, null, key);
    if (node != null && isOff && !config.settings().text(key).equals("0")) {
      String wrong = "has no effect while " + needed.yamlName() + " is " + text;
      report.error(node, key.yamlName(), wrong, "remove one of them");
    }
  }

  private void checkDatabase(DatabaseConfig database) {
    String name = database.name();
    String path = ConfigReader.DATABASES + "." + name;
    Node node = positions.owner(ConfigScope.DATABASE, name);
    if (name.equals(CONSOLE)) {
      report.error(node, path, "is the name of the admin console", "choose another name");
    }
    checkPrimary(database, path, node);
    checkPool(database, path);
  }

  private void checkPrimary(DatabaseConfig database, String path, Node node) {
    Node value = positions.value(ConfigScope.DATABASE, database.name(), ConfigKey.PRIMARY);
    Address primary = database.primary();
    if (value == null) {
      report.error(node, path, "has no primary", "add primary: \"HOST:5432\"");
    } else if (primary != null && !primary.isUnix()) {
      if (primary.host().equals("*")) {
        report.error(value, path + ".primary", "* is no server", "name one host");
      }
      if (primary.port() == 0) {
        report.error(value, path + ".primary", "0 is no port of a server", "PostgreSQL's is 5432");
      }
    }
  }

  private void checkPool(DatabaseConfig database, String path) {
    String name = database.name();
    int pool = database.poolSize();
    int lowest = database.minPoolSize();
    int most = database.maxDbConnections();
    Node sizes =
        firstGiven(ConfigScope.DATABASE, name, ConfigKey.MIN_POOL_SIZE, ConfigKey.POOL_SIZE);
    if (sizes != null && lowest > pool && isSound(name, ConfigKey.POOL_SIZE)) {
      String wrong = "min_pool_size is " + lowest + ", more than pool_size, which is " + pool;
      report.error(sizes, path, wrong, "lower min_pool_size or raise pool_size");
    }
    Node bounds =
        firstGiven(
            ConfigScope.DATABASE, name, ConfigKey.MAX_DB_CONNECTIONS, ConfigKey.MIN_POOL_SIZE);
    if (bounds != null && most > 0 && lowest > most) {
      String wrong = "min_pool_size is " + lowest + ", more than max_db_connections";
      report.error(bounds, path, wrong, "lower min_pool_size or raise max_db_connections");
    } else if (bounds != null && most > 0 && pool > most) {
      String wrong = "pool_size is " + pool + ", but max_db_connections is only " + most;
      report.warning(bounds, path, wrong, "no pool can reach its size");
    }
  }

  private Node firstGiven(ConfigScope scope, String owner, ConfigKey first, ConfigKey second) {
    Node node = positions.value(scope, owner, first);
    return node == null ? positions.value(scope, owner, second) : node;
  }

  private boolean isSound(ConfigKey key) {
    return !positions.isBroken(ConfigScope.GLOBAL, null, key);
  }

  private boolean isSound(String database, ConfigKey key) {
    return !positions.isBroken(ConfigScope.DATABASE, database, key)
        && isSound(ConfigKey.DEFAULT_POOL_SIZE);
  }
}
