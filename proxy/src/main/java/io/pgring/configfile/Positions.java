package io.pgring.configfile;

import io.pgring.config.ConfigKey;
import io.pgring.config.ConfigScope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;

/** Where in the file each key stands, and which of them could not be read. */
final class Positions {
  private final Map<Place, Node> values = new HashMap<>();
  private final Map<Owner, Node> owners = new HashMap<>();
  private final Set<Place> broken = new HashSet<>();
  private Node root;

  private record Owner(ConfigScope scope, String name) {}

  private record Place(Owner owner, ConfigKey key) {}

  void root(Node node) {
    root = node;
  }

  /** Start of the file's mapping. */
  Node root() {
    return root;
  }

  /** Notes the name of a database or user, or the value of their section when the name is null. */
  void owner(ConfigScope scope, String name, Node node) {
    owners.put(new Owner(scope, name), node);
  }

  /** The name of a database or user, or the value of their section; null if not there. */
  Node owner(ConfigScope scope, String name) {
    return owners.get(new Owner(scope, name));
  }

  void value(ConfigScope scope, String owner, ConfigKey key, Node node) {
    values.put(new Place(new Owner(scope, owner), key), node);
  }

  void broken(ConfigScope scope, String owner, ConfigKey key) {
    broken.add(new Place(new Owner(scope, owner), key));
  }

  /** The value of a key; null when it was not given. */
  Node value(ConfigScope scope, String owner, ConfigKey key) {
    return values.get(new Place(new Owner(scope, owner), key));
  }

  /** Whether a value was given that could not be read. */
  boolean isBroken(ConfigScope scope, String owner, ConfigKey key) {
    return broken.contains(new Place(new Owner(scope, owner), key));
  }
}
