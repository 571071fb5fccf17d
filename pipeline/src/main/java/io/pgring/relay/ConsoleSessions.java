package io.pgring.relay;

import io.pgring.pipeline.FrameEvent;
import io.pgring.protocol.FrontendMessage;
import io.pgring.session.Session;
import io.pgring.session.Session.Wait;
import org.agrona.DirectBuffer;

/**
 * Takes the frames of the console's sessions to the console, and its answers back. Relay's thread.
 */
final class ConsoleSessions {
  private final RelayContext context;
  private final ClientWriter clients;

  ConsoleSessions(RelayContext context, ClientWriter clients) {
    this.context = context;
    this.clients = clients;
  }

  /** Handles one frame; false when it must wait for the answer to the one before. */
  boolean onFrame(Session session, FrameEvent frame) {
    if (frame.type() == FrontendMessage.TERMINATE) {
      context.closeLater(session, "client close request");
    } else if (frame.part() != FrameEvent.WHOLE) {
      clients.fatal(session, "54000", "the message is too long for the console", null);
    } else {
      Console.Session console = (Console.Session) session.console;
      boolean goOn =
          console.onMessage(
              frame.type(),
              frame.buffer(),
              frame.offset(),
              frame.length(),
              new SessionReply(session));
      if (!goOn) {
        session.wait = Wait.COPY_ANSWER;
      }
    }
    session.client().relayed(frame.length());
    return true;
  }

  private final class SessionReply implements Console.Reply {
    private final Session session;

    SessionReply(Session session) {
      this.session = session;
    }

    @Override
    public void send(DirectBuffer buffer, int offset, int length) {
      clients.append(session, buffer, offset, length);
    }

    @Override
    public void later(Runnable completion) {
      context.post(
          () -> {
            completion.run();
            if (!session.isClosed()) {
              context.resumeLater(session);
            }
          });
    }
  }
}
