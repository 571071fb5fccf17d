package io.pgring.login;

/**
 * Why a client's login failed. Immutable.
 *
 * @param sqlState SQLSTATE of the FATAL ErrorResponse
 * @param message its message, in PostgreSQL's words
 * @param detail its detail, or {@code null}
 * @param logReason what only the log may say, because it would tell a stranger who exists
 */
public record LoginFailure(String sqlState, String message, String detail, String logReason) {
  private static final String PROTOCOL_VIOLATION = "08P01";
  private static final String FEATURE_NOT_SUPPORTED = "0A000";
  private static final String INVALID_PASSWORD = "28P01";

  static LoginFailure protocolViolation(String message) {
    return new LoginFailure(PROTOCOL_VIOLATION, message, null, message);
  }

  static LoginFailure malformedScram(String detail) {
    String message = "malformed SCRAM message";
    return new LoginFailure(PROTOCOL_VIOLATION, message, detail, message + ": " + detail);
  }

  static LoginFailure scramNonceMismatch() {
    return new LoginFailure(
        PROTOCOL_VIOLATION,
        "invalid SCRAM response",
        "Nonce does not match.",
        "invalid SCRAM response: nonce does not match");
  }

  static LoginFailure unsupported(String message) {
    return new LoginFailure(FEATURE_NOT_SUPPORTED, message, null, message);
  }

  static LoginFailure emptyPassword() {
    String message = "empty password returned by client";
    return new LoginFailure(INVALID_PASSWORD, message, null, message);
  }

  static LoginFailure passwordRefused(String user, String logReason) {
    return new LoginFailure(
        INVALID_PASSWORD,
        "password authentication failed for user \"" + user + "\"",
        null,
        logReason);
  }
}
