package io.pgring.relay;

import io.pgring.pipeline.FrameEvent;
import io.pgring.protocol.FrontendMessage;
import io.pgring.session.Session;
import io.pgring.session.Session.Phase;
import io.pgring.session.Session.Wait;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes the frames of the console's sessions to the console, and its answers back. An answer may be
 * longer than what a session may queue for its socket; the rest is kept here, and no further frame
 * of the session is evaluated meanwhile. Relay's thread.
 */
final class ConsoleSessions {
  private static final int PIECE_BYTES = 32 * 1024;

  private final RelayContext context;
  private final ClientWriter clients;

  ConsoleSessions(RelayContext context, ClientWriter clients) {
    this.context = context;
    this.clients = clients;
  }

  /** Handles one frame; the session waits afterwards if its answer is not complete. */
  void onFrame(Session session, FrameEvent frame) {
    if (frame.type() == FrontendMessage.TERMINATE) {
      context.closeLater(session, "client close request");
    } else if (frame.part() != FrameEvent.WHOLE) {
      clients.fatal(session, "54000", "the message is too long for the console", null);
    } else {
      Answer answer = new Answer(session);
      session.wait = Wait.CONSOLE;
      if (((Console.Session) session.console)
          .onMessage(frame.type(), frame.buffer(), frame.offset(), frame.length(), answer)) {
        answer.done();
      }
    }
    session.client().relayed(frame.length());
  }

  /** What was queued for the session has been offered to its socket. */
  void onFlushed(Session session) {
    if (session.phase == Phase.CONSOLE && session.consoleAnswer instanceof Answer answer) {
      answer.sendOn();
    }
  }

  /** The answer to one frame. */
  private final class Answer implements Console.Reply {
    private final Session session;
    private final ArrayDeque<UnsafeBuffer> rest = new ArrayDeque<>();
    private boolean complete;

    Answer(Session session) {
      this.session = session;
      session.consoleAnswer = this;
    }

    @Override
    public void send(DirectBuffer buffer, int offset, int length) {
      if (session.phase != Phase.CONSOLE) {
        return;
      }
      for (int sent = 0; sent < length; sent += PIECE_BYTES) {
        byte[] piece = new byte[Math.min(PIECE_BYTES, length - sent)];
        buffer.getBytes(offset + sent, piece);
        rest.add(new UnsafeBuffer(piece));
      }
      sendOn();
    }

    @Override
    public void onRelay(Runnable completion) {
      context.post(completion);
    }

    @Override
    public void done() {
      complete = true;
      sendOn();
    }

    private void sendOn() {
      while (!rest.isEmpty() && session.output().size() < PIECE_BYTES) {
        UnsafeBuffer piece = rest.remove();
        clients.append(session, piece, 0, piece.capacity());
      }
      if (complete && rest.isEmpty() && session.phase == Phase.CONSOLE) {
        session.consoleAnswer = null;
        context.resumeLater(session);
      }
    }
  }
}
