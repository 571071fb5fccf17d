package io.pgring.relay;

import org.agrona.DirectBuffer;

/**
 * Serves the virtual database of the administration console. Called on the relay thread of the
 * session's lane; may allocate, must not block: an answer that needs other lanes is completed later
 * through {@link Reply}.
 */
public interface Console {
  /** Name of the virtual database. */
  String DATABASE = "pgbouncer";

  /** Whether this user may log in to it. */
  boolean admits(String user);

  /** What its sessions are; made at login. */
  Session open(String user);

  /** A session of the console. */
  interface Session {
    /**
     * Handles one whole frontend message.
     *
     * @return false when the frames behind it must wait until {@code reply} was completed
     */
    boolean onMessage(byte type, DirectBuffer buffer, int offset, int length, Reply reply);
  }

  /** Where answers go. */
  interface Reply {
    /** Sends whole backend messages; relay's thread only. */
    void send(DirectBuffer buffer, int offset, int length);

    /**
     * Runs something on the relay thread of the session, then lets its next frames in; any thread.
     */
    void later(Runnable completion);
  }
}
