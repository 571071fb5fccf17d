package io.pgring.testkit;

import io.pgring.testkit.wire.Reply;
import io.pgring.testkit.wire.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * All that one client has received, in a form that may be compared between two servers: without the
 * authentication exchange and the cancel key, and with the settings reported at login in no
 * particular order. Filled on the thread that reads the client.
 */
final class Transcript {
  private final TreeSet<String> settingsAtLogin = new TreeSet<>();
  private final List<String> replies = Collections.synchronizedList(new ArrayList<>());
  private boolean ready;

  void record(Reply reply) {
    char type = reply.type();
    ready |= type == 'Z';
    if (type == 'S' && !ready) {
      settingsAtLogin.add(Trace.exact(reply));
    } else if (type != 'R' && type != 'K') {
      replies.add(Trace.exact(reply));
    }
  }

  /** The settings at login, then one line for each reply. */
  String text() {
    return settingsAtLogin + "\n" + String.join("\n", replies);
  }
}
