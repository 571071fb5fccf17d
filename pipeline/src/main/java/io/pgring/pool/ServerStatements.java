package io.pgring.pool;

import io.pgring.session.PreparedStatement;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The prepared statements that one server connection holds or is about to hold, in order of use, so
 * that the least recently used one makes room. Relay's thread only.
 */
public final class ServerStatements {
  private final Int2ObjectHashMap<Entry> byId = new Int2ObjectHashMap<>();
  private Entry mostRecent;
  private Entry leastRecent;

  private static final class Entry {
    final PreparedStatement statement;
    Entry older;
    Entry newer;
    int underWay;
    boolean known;
    long unit;

    Entry(PreparedStatement statement) {
      this.statement = statement;
    }
  }

  public int size() {
    return byId.size();
  }

  /**
   * True when a message of this unit may use the statement: the server has confirmed it, or its
   * Parse is ahead in the same unit, so that if it fails the message is skipped as well. Counts as
   * a use.
   */
  public boolean isUsable(PreparedStatement statement, long unit) {
    Entry entry = byId.get(statement.id());
    if (entry == null) {
      return false;
    }
    if (entry != mostRecent) {
      unlink(entry);
      linkFirst(entry);
    }
    return entry.known || entry.unit == unit;
  }

  /** Notes that a Parse is being sent in this unit; true when the statement is new here. */
  public boolean sent(PreparedStatement statement, long unit) {
    Entry entry = byId.get(statement.id());
    boolean added = entry == null;
    if (added) {
      entry = new Entry(statement);
      byId.put(statement.id(), entry);
      linkFirst(entry);
    }
    entry.unit = unit;
    entry.underWay++;
    // A Close goes ahead of each Parse: until this one is confirmed, no earlier one counts.
    entry.known = false;
    return added;
  }

  /** Notes that the server has confirmed a Parse. */
  public void confirmed(int statementId) {
    Entry entry = byId.get(statementId);
    if (entry != null) {
      entry.underWay--;
      entry.known = entry.underWay == 0;
    }
  }

  /**
   * Notes that a Parse failed or was skipped; returns the statement when it is not here any more,
   * or null.
   */
  public PreparedStatement refused(int statementId) {
    Entry entry = byId.get(statementId);
    if (entry == null) {
      return null;
    }
    entry.underWay--;
    // A unit number that never comes again: nothing may rely on the Parse that failed.
    entry.unit = -1;
    return entry.underWay > 0 ? null : remove(entry);
  }

  /** Takes out the least recently used statement that is confirmed, or returns null. */
  public PreparedStatement evict() {
    for (Entry entry = leastRecent; entry != null; entry = entry.newer) {
      if (entry.known && entry.underWay == 0) {
        return remove(entry);
      }
    }
    return null;
  }

  /** Takes out any statement, or returns null when there is none. */
  public PreparedStatement removeAny() {
    return leastRecent == null ? null : remove(leastRecent);
  }

  private PreparedStatement remove(Entry entry) {
    byId.remove(entry.statement.id());
    unlink(entry);
    return entry.statement;
  }

  private void unlink(Entry entry) {
    if (entry.newer == null) {
      mostRecent = entry.older;
    } else {
      entry.newer.older = entry.older;
    }
    if (entry.older == null) {
      leastRecent = entry.newer;
    } else {
      entry.older.newer = entry.newer;
    }
    entry.older = null;
    entry.newer = null;
  }

  private void linkFirst(Entry entry) {
    entry.older = mostRecent;
    if (mostRecent == null) {
      leastRecent = entry;
    } else {
      mostRecent.newer = entry;
    }
    mostRecent = entry;
  }
}
