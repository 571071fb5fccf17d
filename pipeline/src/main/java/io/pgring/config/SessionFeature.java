package io.pgring.config;

/** What happens to a statement whose effect stays in the server session and cannot be carried. */
public enum SessionFeature {
  /** The server connection stays with the client until the effect is undone. */
  PIN,
  /** The statement is refused. */
  REJECT
}
