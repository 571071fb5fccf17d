package io.pgring.relay;

import io.pgring.protocol.FieldCode;
import io.pgring.protocol.backend.ErrorResponseFlyweight;
import org.agrona.DirectBuffer;

/** Reads an ErrorResponse for decisions and the log; not for the hot path. */
final class ErrorText {
  private ErrorText() {}

  /** Severity, SQLSTATE and message, as one line. */
  static String of(DirectBuffer buffer, int offset, int length) {
    ErrorResponseFlyweight error = new ErrorResponseFlyweight().wrap(buffer, offset, length);
    return field(error, buffer, FieldCode.SEVERITY)
        + " "
        + field(error, buffer, FieldCode.SQL_STATE)
        + ": "
        + field(error, buffer, FieldCode.MESSAGE);
  }

  static String sqlState(DirectBuffer buffer, int offset, int length) {
    return field(
        new ErrorResponseFlyweight().wrap(buffer, offset, length), buffer, FieldCode.SQL_STATE);
  }

  static String message(DirectBuffer buffer, int offset, int length) {
    return field(
        new ErrorResponseFlyweight().wrap(buffer, offset, length), buffer, FieldCode.MESSAGE);
  }

  private static String field(ErrorResponseFlyweight error, DirectBuffer buffer, byte code) {
    return error.valid() && error.field(code)
        ? buffer.getStringWithoutLengthUtf8(error.fieldOffset(), error.fieldLength())
        : "";
  }
}
