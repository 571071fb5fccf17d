package io.pgring.login;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How clients prove who they are; the names are those of pg_hba.conf. */
public enum AuthMethod {
  /** No proof. */
  TRUST("trust"),
  /** The password in clear. */
  PASSWORD("password"),
  /** An md5 challenge; SCRAM for a user whose secret is a verifier, as in PostgreSQL. */
  MD5("md5"),
  /** SCRAM-SHA-256 (RFC 7677), without channel binding. */
  SCRAM_SHA_256("scram-sha-256");

  private final String yamlName;

  AuthMethod(String yamlName) {
    this.yamlName = yamlName;
  }

  /** The name in the configuration. */
  public String yamlName() {
    return yamlName;
  }

  /**
   * The method of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the names
   */
  public static AuthMethod ofYamlName(String name) {
    for (AuthMethod method : values()) {
      if (method.yamlName.equals(name)) {
        return method;
      }
    }
    String names =
        Arrays.stream(values()).map(AuthMethod::yamlName).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "unknown authentication method \"" + name + "\": expected one of " + names);
  }
}
