package io.pgring.session;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * All prepared statements that some client has a name for, one object per content. Shared by the
 * lanes and guarded by its monitor: it is asked when a client prepares or forgets a name, never
 * when it executes.
 */
public final class StatementStore {
  // Texts with the same hash are chained; the hash only finds the chain.
  private final Int2ObjectHashMap<Chained> chains = new Int2ObjectHashMap<>();
  private int lastId;
  private int size;

  private static final class Chained {
    final PreparedStatement statement;
    Chained next;

    Chained(PreparedStatement statement, Chained next) {
      this.statement = statement;
      this.next = next;
    }
  }

  /**
   * Finds or adds the statement with this content, and counts one more reference to it.
   *
   * @param offset of the text, NUL and parameter types of a Parse message
   */
  public synchronized PreparedStatement acquire(
      DirectBuffer buffer, int offset, int length, long classification) {
    int hash = hash(buffer, offset, length);
    Chained first = chains.get(hash);
    for (Chained c = first; c != null; c = c.next) {
      if (c.statement.matches(buffer, offset, length)) {
        c.statement.addReference(1);
        return c.statement;
      }
    }
    byte[] content = new byte[length];
    buffer.getBytes(offset, content);
    PreparedStatement statement = new PreparedStatement(++lastId, content, classification);
    statement.addReference(1);
    chains.put(hash, new Chained(statement, first));
    size++;
    return statement;
  }

  /** Counts one more reference to a statement that the caller has a reference to. */
  public synchronized void retain(PreparedStatement statement) {
    statement.addReference(1);
  }

  /** Gives a reference back; the last one removes the statement. */
  public synchronized void release(PreparedStatement statement) {
    if (statement.addReference(-1) > 0) {
      return;
    }
    int hash = statement.contentHash();
    Chained kept = null;
    for (Chained c = chains.remove(hash); c != null; c = c.next) {
      if (c.statement != statement) {
        kept = new Chained(c.statement, kept);
      }
    }
    if (kept != null) {
      chains.put(hash, kept);
    }
    size--;
  }

  /** Statements known now. */
  public synchronized int size() {
    return size;
  }

  // The same function as Arrays.hashCode(byte[]), over off-heap bytes.
  private static int hash(DirectBuffer buffer, int offset, int length) {
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + buffer.getByte(offset + i);
    }
    return hash;
  }
}
