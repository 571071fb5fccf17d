package io.pgring.config;

/** How clients prove who they are. The names in the file are PgBouncer's. */
public enum AuthType {
  /** Nobody proves anything. */
  TRUST,
  /** The password travels in clear text. */
  PLAIN,
  /** Salted MD5; a user whose secret is a SCRAM verifier uses SCRAM-SHA-256 all the same. */
  MD5,
  /** SCRAM-SHA-256; a user whose secret is an md5 hash uses MD5, the only thing it can serve. */
  SCRAM_SHA_256
}
