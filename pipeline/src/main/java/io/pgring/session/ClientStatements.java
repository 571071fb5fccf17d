package io.pgring.session;

import java.util.Arrays;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * One client's names for prepared statements: an open-addressing table looked up by the bytes of
 * the name in a message, so that executing allocates nothing. Relay's thread only.
 */
public final class ClientStatements {
  private byte[][] names = new byte[8][];
  private PreparedStatement[] statements = new PreparedStatement[8];
  private int[] sequences = new int[8];
  private int lastSequence;
  private int size;

  public int size() {
    return size;
  }

  /** The statement with this name, or null. */
  public PreparedStatement find(DirectBuffer buffer, int offset, int length) {
    int index = indexOf(buffer, offset, length);
    return names[index] == null ? null : statements[index];
  }

  /**
   * Adds a name that is not there yet.
   *
   * @return a positive number by which {@link #removeBySequence(int)} finds this very entry, should
   *     the server refuse its Parse
   */
  public int put(DirectBuffer buffer, int offset, int length, PreparedStatement statement) {
    if (size * 2 >= names.length) {
      grow();
    }
    int index = indexOf(buffer, offset, length);
    byte[] name = new byte[length];
    buffer.getBytes(offset, name);
    names[index] = name;
    statements[index] = statement;
    sequences[index] = lastSequence = lastSequence == Integer.MAX_VALUE ? 1 : lastSequence + 1;
    size++;
    return lastSequence;
  }

  /** Forgets a name; returns its statement, or null when there was none. */
  public PreparedStatement remove(DirectBuffer buffer, int offset, int length) {
    int index = indexOf(buffer, offset, length);
    return names[index] == null ? null : removeAt(index);
  }

  /**
   * Forgets the entry that {@link #put} numbered so; returns its statement, or null when it has
   * gone already.
   */
  public PreparedStatement removeBySequence(int sequence) {
    for (int i = 0; i < names.length; i++) {
      if (names[i] != null && sequences[i] == sequence) {
        return removeAt(i);
      }
    }
    return null;
  }

  /** Forgets everything, passing each statement to {@code forgotten}. */
  public void clear(Consumer<PreparedStatement> forgotten) {
    for (PreparedStatement statement : statements) {
      if (statement != null) {
        forgotten.accept(statement);
      }
    }
    Arrays.fill(names, null);
    Arrays.fill(statements, null);
    size = 0;
  }

  private PreparedStatement removeAt(int index) {
    PreparedStatement removed = statements[index];
    int mask = names.length - 1;
    int hole = index;
    int i = index;
    while (true) {
      i = (i + 1) & mask;
      if (names[i] == null) {
        break;
      }
      int home = hash(names[i]) & mask;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        names[hole] = names[i];
        statements[hole] = statements[i];
        sequences[hole] = sequences[i];
        hole = i;
      }
    }
    names[hole] = null;
    statements[hole] = null;
    size--;
    return removed;
  }

  private int indexOf(DirectBuffer buffer, int offset, int length) {
    int mask = names.length - 1;
    int index = hash(buffer, offset, length) & mask;
    while (names[index] != null && !matches(names[index], buffer, offset, length)) {
      index = (index + 1) & mask;
    }
    return index;
  }

  private void grow() {
    byte[][] oldNames = names;
    PreparedStatement[] oldStatements = statements;
    int[] oldSequences = sequences;
    names = new byte[2 * oldNames.length][];
    statements = new PreparedStatement[names.length];
    sequences = new int[names.length];
    int mask = names.length - 1;
    for (int i = 0; i < oldNames.length; i++) {
      if (oldNames[i] != null) {
        int index = hash(oldNames[i]) & mask;
        while (names[index] != null) {
          index = (index + 1) & mask;
        }
        names[index] = oldNames[i];
        statements[index] = oldStatements[i];
        sequences[index] = oldSequences[i];
      }
    }
  }

  private static boolean matches(byte[] name, DirectBuffer buffer, int offset, int length) {
    if (name.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name[i] != buffer.getByte(offset + i)) {
        return false;
      }
    }
    return true;
  }

  private static int hash(DirectBuffer buffer, int offset, int length) {
    int hash = 0;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + buffer.getByte(offset + i);
    }
    return spread(hash);
  }

  private static int hash(byte[] name) {
    int hash = 0;
    for (byte b : name) {
      hash = 31 * hash + b;
    }
    return spread(hash);
  }

  private static int spread(int hash) {
    return hash ^ hash >>> 16;
  }
}
