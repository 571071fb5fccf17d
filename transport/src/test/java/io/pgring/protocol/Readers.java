package io.pgring.protocol;

import io.pgring.protocol.backend.CommandCompleteFlyweight;
import io.pgring.protocol.backend.CopyResponseFlyweight;
import io.pgring.protocol.backend.DataRowFlyweight;
import io.pgring.protocol.backend.ErrorResponseFlyweight;
import io.pgring.protocol.backend.FunctionCallResponseFlyweight;
import io.pgring.protocol.backend.NotificationResponseFlyweight;
import io.pgring.protocol.backend.ParameterDescriptionFlyweight;
import io.pgring.protocol.backend.ParameterStatusFlyweight;
import io.pgring.protocol.backend.ReadyForQueryFlyweight;
import io.pgring.protocol.backend.RowDescriptionFlyweight;
import io.pgring.protocol.frontend.BindFlyweight;
import io.pgring.protocol.frontend.CopyFailFlyweight;
import io.pgring.protocol.frontend.ExecuteFlyweight;
import io.pgring.protocol.frontend.FunctionCallFlyweight;
import io.pgring.protocol.frontend.ParseFlyweight;
import io.pgring.protocol.frontend.QueryFlyweight;
import io.pgring.protocol.frontend.TargetFlyweight;
import io.pgring.protocol.startup.AuthenticationFlyweight;
import io.pgring.protocol.startup.BackendKeyDataFlyweight;
import io.pgring.protocol.startup.CancelRequestFlyweight;
import io.pgring.protocol.startup.NegotiateProtocolVersionFlyweight;
import io.pgring.protocol.startup.PasswordFlyweight;
import io.pgring.protocol.startup.SaslInitialResponseFlyweight;
import io.pgring.protocol.startup.StartupFlyweight;
import org.agrona.DirectBuffer;

/**
 * Each flyweight behind one face: wraps, and where the message is valid asks everything that can be
 * asked and checks that every answer lies inside the message. Allocates nothing after construction.
 */
final class Readers {
  private static final byte[] MECHANISM = {'X'};

  private final QueryFlyweight query = new QueryFlyweight();
  private final ParseFlyweight parse = new ParseFlyweight();
  private final BindFlyweight bind = new BindFlyweight();
  private final TargetFlyweight target = new TargetFlyweight();
  private final ExecuteFlyweight execute = new ExecuteFlyweight();
  private final FunctionCallFlyweight functionCall = new FunctionCallFlyweight();
  private final CopyFailFlyweight copyFail = new CopyFailFlyweight();
  private final StartupFlyweight startup = new StartupFlyweight();
  private final CancelRequestFlyweight cancelRequest = new CancelRequestFlyweight();
  private final PasswordFlyweight password = new PasswordFlyweight();
  private final SaslInitialResponseFlyweight saslInitial = new SaslInitialResponseFlyweight();
  private final AuthenticationFlyweight authentication = new AuthenticationFlyweight();
  private final BackendKeyDataFlyweight keyData = new BackendKeyDataFlyweight();
  private final NegotiateProtocolVersionFlyweight negotiation =
      new NegotiateProtocolVersionFlyweight();
  private final ParameterStatusFlyweight parameterStatus = new ParameterStatusFlyweight();
  private final ErrorResponseFlyweight errorResponse = new ErrorResponseFlyweight();
  private final ReadyForQueryFlyweight readyForQuery = new ReadyForQueryFlyweight();
  private final CommandCompleteFlyweight commandComplete = new CommandCompleteFlyweight();
  private final RowDescriptionFlyweight rowDescription = new RowDescriptionFlyweight();
  private final DataRowFlyweight dataRow = new DataRowFlyweight();
  private final ParameterDescriptionFlyweight parameterDescription =
      new ParameterDescriptionFlyweight();
  private final NotificationResponseFlyweight notification = new NotificationResponseFlyweight();
  private final CopyResponseFlyweight copyResponse = new CopyResponseFlyweight();
  private final FunctionCallResponseFlyweight functionResponse =
      new FunctionCallResponseFlyweight();

  private int start;
  private int limit;

  /** Whether the message is valid by the flyweight of that name. */
  boolean read(Layout layout, DirectBuffer buffer, int offset, int length) {
    start = offset;
    limit = offset + length;
    return switch (layout) {
      case QUERY -> query(query.wrap(buffer, offset, length));
      case PARSE -> parse(parse.wrap(buffer, offset, length));
      case BIND -> bind(bind.wrap(buffer, offset, length));
      case TARGET -> target(target.wrap(buffer, offset, length));
      case EXECUTE -> execute(execute.wrap(buffer, offset, length));
      case FUNCTION_CALL -> functionCall(functionCall.wrap(buffer, offset, length));
      case COPY_FAIL -> copyFail(copyFail.wrap(buffer, offset, length));
      case STARTUP -> startup(startup.wrap(buffer, offset, length));
      case CANCEL_REQUEST -> cancelRequest(cancelRequest.wrap(buffer, offset, length));
      case PASSWORD -> password(password.wrap(buffer, offset, length));
      case SASL_INITIAL_RESPONSE -> saslInitial(saslInitial.wrap(buffer, offset, length));
      case AUTHENTICATION -> authentication(authentication.wrap(buffer, offset, length));
      case BACKEND_KEY_DATA -> keyData(keyData.wrap(buffer, offset, length));
      case NEGOTIATE_PROTOCOL_VERSION -> negotiation(negotiation.wrap(buffer, offset, length));
      case PARAMETER_STATUS -> parameterStatus(parameterStatus.wrap(buffer, offset, length));
      case ERROR_RESPONSE -> errorResponse(errorResponse.wrap(buffer, offset, length));
      case READY_FOR_QUERY -> readyForQuery.wrap(buffer, offset, length).valid();
      case COMMAND_COMPLETE -> commandComplete(commandComplete.wrap(buffer, offset, length));
      case ROW_DESCRIPTION -> rowDescription(rowDescription.wrap(buffer, offset, length));
      case DATA_ROW -> dataRow(dataRow.wrap(buffer, offset, length));
      case PARAMETER_DESCRIPTION ->
          parameterDescription(parameterDescription.wrap(buffer, offset, length));
      case NOTIFICATION_RESPONSE -> notification(notification.wrap(buffer, offset, length));
      case COPY_RESPONSE -> copyResponse(copyResponse.wrap(buffer, offset, length));
      case FUNCTION_CALL_RESPONSE ->
          functionResponse(functionResponse.wrap(buffer, offset, length));
    };
  }

  private boolean query(QueryFlyweight message) {
    return message.valid() && inside(message.sqlOffset(), message.sqlLength());
  }

  private boolean parse(ParseFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    for (int i = 0; i < message.parameterTypeCount(); i++) {
      message.parameterType(i);
    }
    return inside(message.nameOffset(), message.nameLength())
        && inside(message.sqlOffset(), message.sqlLength())
        && inside(message.sqlOffset(), message.sqlAndTypesLength())
        && inside(message.typesOffset(), 2 + 4 * message.parameterTypeCount());
  }

  private boolean bind(BindFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    for (int i = 0; i < message.parameterCount(); i++) {
      message.parameterFormat(i);
      inside(message.parameterOffset(i), Math.max(message.parameterLength(i), 0));
    }
    for (int i = 0; i < message.resultFormatCount(); i++) {
      message.resultFormat(i);
    }
    return inside(message.portalOffset(), message.portalLength())
        && inside(message.statementOffset(), message.statementLength())
        && inside(message.afterNamesOffset(), 6);
  }

  private boolean target(TargetFlyweight message) {
    return message.valid()
        && message.kind() != 0
        && inside(message.nameOffset(), message.nameLength());
  }

  private boolean execute(ExecuteFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    message.maxRows();
    return inside(message.portalOffset(), message.portalLength());
  }

  private boolean functionCall(FunctionCallFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    message.functionOid();
    message.resultFormat();
    for (int i = 0; i < message.argumentCount(); i++) {
      message.argumentFormat(i);
      inside(message.argumentOffset(i), Math.max(message.argumentLength(i), 0));
    }
    return true;
  }

  private boolean copyFail(CopyFailFlyweight message) {
    return message.valid() && inside(message.reasonOffset(), message.reasonLength());
  }

  private boolean startup(StartupFlyweight message) {
    while (message.next()) {
      inside(message.nameOffset(), message.nameLength());
      inside(message.valueOffset(), message.valueLength());
    }
    return message.valid();
  }

  private boolean cancelRequest(CancelRequestFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    message.pid();
    return inside(message.keyOffset(), message.keyLength());
  }

  private boolean password(PasswordFlyweight message) {
    return message.valid() && inside(message.passwordOffset(), message.passwordLength());
  }

  private boolean saslInitial(SaslInitialResponseFlyweight message) {
    return message.valid()
        && inside(message.mechanismOffset(), message.mechanismLength())
        && inside(message.dataOffset(), Math.max(message.dataLength(), 0));
  }

  private boolean authentication(AuthenticationFlyweight message) {
    message.offers(MECHANISM);
    return message.valid() && inside(message.dataOffset(), message.dataLength());
  }

  private boolean keyData(BackendKeyDataFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    message.pid();
    return inside(message.keyOffset(), message.keyLength());
  }

  private boolean negotiation(NegotiateProtocolVersionFlyweight message) {
    while (message.next()) {
      inside(message.optionOffset(), message.optionLength());
    }
    return message.valid();
  }

  private boolean parameterStatus(ParameterStatusFlyweight message) {
    return message.valid()
        && inside(message.nameOffset(), message.nameLength())
        && inside(message.valueOffset(), message.valueLength());
  }

  private boolean errorResponse(ErrorResponseFlyweight message) {
    if (message.field(FieldCode.SQL_STATE)) {
      inside(message.fieldOffset(), message.fieldLength());
    }
    return message.valid();
  }

  private boolean commandComplete(CommandCompleteFlyweight message) {
    return message.valid()
        && message.rowCount() >= CommandCompleteFlyweight.NO_ROW_COUNT
        && inside(message.tagOffset(), message.tagLength());
  }

  private boolean rowDescription(RowDescriptionFlyweight message) {
    int columns = 0;
    while (message.next()) {
      inside(message.nameOffset(), message.nameLength());
      message.format();
      columns++;
    }
    return message.valid() && columns == message.columnCount();
  }

  private boolean dataRow(DataRowFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    for (int i = 0; i < message.columnCount(); i++) {
      inside(message.columnOffset(i), Math.max(message.columnLength(i), 0));
    }
    return true;
  }

  private boolean parameterDescription(ParameterDescriptionFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    for (int i = 0; i < message.parameterCount(); i++) {
      message.parameterType(i);
    }
    return true;
  }

  private boolean notification(NotificationResponseFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    message.pid();
    return inside(message.channelOffset(), message.channelLength())
        && inside(message.payloadOffset(), message.payloadLength());
  }

  private boolean copyResponse(CopyResponseFlyweight message) {
    if (!message.valid()) {
      return false;
    }
    message.format();
    for (int i = 0; i < message.columnCount(); i++) {
      message.columnFormat(i);
    }
    return true;
  }

  private boolean functionResponse(FunctionCallResponseFlyweight message) {
    return message.valid() && inside(message.valueOffset(), Math.max(message.valueLength(), 0));
  }

  private boolean inside(int offset, int length) {
    if (offset < start || length < 0 || offset + length > limit) {
      throw new AssertionError(offset + "+" + length + " is not inside " + start + " to " + limit);
    }
    return true;
  }
}
