package io.pgring.relay;

import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Serves the virtual database of the administration console. Called on the relay thread of the
 * session's lane; may allocate, must not block: an answer that needs other threads is completed
 * later through {@link Reply}.
 */
public interface Console {
  /** Name of the virtual database. */
  String DATABASE = "pgbouncer";

  /**
   * Opens a session for a user who has proved to be that user.
   *
   * @param shared the proxy to be shown and administered
   * @return null when the user may not use the console
   */
  Session open(Shared shared, String user);

  /** What is reported to a client at login, as a server reports its settings. */
  Map<String, String> parameters();

  /** A session of the console. */
  interface Session {
    /**
     * Handles one whole frontend message.
     *
     * @return false when the frames behind it must wait for {@link Reply#done()}
     */
    boolean onMessage(byte type, DirectBuffer buffer, int offset, int length, Reply reply);

    /**
     * Gives up the message that is not answered yet, if there is one: its client has asked for
     * that, or has gone.
     */
    void cancel();
  }

  /** Where the answer to one message goes. */
  interface Reply {
    /** Sends whole backend messages, unless the session has ended; relay's thread only. */
    void send(DirectBuffer buffer, int offset, int length);

    /** Runs something on the relay thread of the session; any thread. */
    void onRelay(Runnable completion);

    /** Lets the session's next frames in; relay's thread only. */
    void done();
  }
}
