package io.pgring.session;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * One client's names for prepared statements: an open-addressing table looked up by the bytes of
 * the name in a message, so that executing allocates nothing. Relay's thread only.
 *
 * <p>Preparing and closing change the table when the message is relayed, and the server may still
 * skip the message behind an error. Each change therefore has a number, ends in the order of the
 * numbers as it is answered or skipped, and is undone in the second case. Until then, messages of
 * later units that name the statement have to wait; those of its own unit would be skipped as well.
 */
public final class ClientStatements {
  private byte[][] names = new byte[8][];
  private PreparedStatement[] statements = new PreparedStatement[8];
  private int[] sequences = new int[8];
  private final ArrayDeque<ClosedName> closed = new ArrayDeque<>();
  private int lastSequence;
  private int pendingChanges;
  private int sequenceAtUnitStart;
  private int size;

  /** A name whose Close is not yet answered. */
  private record ClosedName(
      byte[] name, PreparedStatement statement, int sequence, int closeSequence) {}

  public int size() {
    return size;
  }

  /** True when there is no name, and no change under way that may bring one back. */
  public boolean isEmpty() {
    return size == 0 && pendingChanges == 0;
  }

  /** The statement with this name, or null. */
  public PreparedStatement find(DirectBuffer buffer, int offset, int length) {
    int index = indexOf(buffer, offset, length);
    return names[index] == null ? null : statements[index];
  }

  /**
   * Adds a name that is not there yet.
   *
   * @return a positive number of this change, for {@link #prepared()} or {@link #notPrepared(int)}
   */
  public int put(DirectBuffer buffer, int offset, int length, PreparedStatement statement) {
    byte[] name = new byte[length];
    buffer.getBytes(offset, name);
    int sequence = nextChange();
    insert(name, statement, sequence);
    return sequence;
  }

  /**
   * Takes a name away.
   *
   * @return a positive number of this change, for {@link #closed(int)} or {@link #notClosed(int)};
   *     0 when there is no such name
   */
  public int close(DirectBuffer buffer, int offset, int length) {
    int index = indexOf(buffer, offset, length);
    if (names[index] == null) {
      return 0;
    }
    int closeSequence = nextChange();
    byte[] name = names[index];
    int sequence = sequences[index];
    closed.add(new ClosedName(name, removeAt(index), sequence, closeSequence));
    return closeSequence;
  }

  /** The oldest change was a Parse, and is answered. */
  public void prepared() {
    pendingChanges--;
  }

  /**
   * The oldest change was a Parse, and failed or was skipped: its entry is taken out again.
   *
   * @return its statement, or null when it has gone already
   */
  public PreparedStatement notPrepared(int sequence) {
    pendingChanges--;
    for (int i = 0; i < names.length; i++) {
      if (names[i] != null && sequences[i] == sequence) {
        return removeAt(i);
      }
    }
    // Its Close follows in the same unit, and will be skipped too.
    for (ClosedName entry : closed) {
      if (entry.sequence == sequence) {
        closed.remove(entry);
        return entry.statement;
      }
    }
    return null;
  }

  /**
   * The oldest change was a Close, and is answered.
   *
   * @return its statement, or null when it has gone already
   */
  public PreparedStatement closed(int closeSequence) {
    pendingChanges--;
    ClosedName entry = closed.peek();
    return entry != null && entry.closeSequence == closeSequence ? closed.remove().statement : null;
  }

  /** The oldest change was a Close, and was skipped: the name is there as before. */
  public void notClosed(int closeSequence) {
    pendingChanges--;
    ClosedName entry = closed.peek();
    if (entry != null && entry.closeSequence == closeSequence) {
      closed.remove();
      // A Parse of the same name may be there still; it is in the same unit and goes next.
      insert(entry.name, entry.statement, entry.sequence);
    }
  }

  /** A request unit begins. */
  public void beginUnit() {
    sequenceAtUnitStart = lastSequence;
  }

  /** True while it is open whether a change that an earlier unit made to this name will stay. */
  public boolean isUnsettled(DirectBuffer buffer, int offset, int length) {
    if (pendingChanges <= age(sequenceAtUnitStart)) {
      return false;
    }
    int index = indexOf(buffer, offset, length);
    if (names[index] != null && isFromEarlierUnit(sequences[index])) {
      return true;
    }
    for (ClosedName entry : closed) {
      if (isFromEarlierUnit(entry.closeSequence) && matches(entry.name, buffer, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** Forgets everything, passing each statement to {@code forgotten}. */
  public void clear(Consumer<PreparedStatement> forgotten) {
    pendingChanges = 0;
    clearSettled(forgotten);
  }

  /**
   * The server has forgotten all statements: forgets those that it had, not those whose Parse is
   * still under way; passes each to {@code forgotten}.
   */
  public void clearSettled(Consumer<PreparedStatement> forgotten) {
    closed.removeIf(
        entry -> {
          boolean settled = age(entry.sequence) >= pendingChanges;
          if (settled) {
            forgotten.accept(entry.statement);
          }
          return settled;
        });
    byte[][] oldNames = names;
    PreparedStatement[] oldStatements = statements;
    int[] oldSequences = sequences;
    allocate(oldNames.length);
    for (int i = 0; i < oldNames.length; i++) {
      if (oldNames[i] != null && age(oldSequences[i]) >= pendingChanges) {
        forgotten.accept(oldStatements[i]);
      } else if (oldNames[i] != null) {
        insert(oldNames[i], oldStatements[i], oldSequences[i]);
      }
    }
  }

  private int nextChange() {
    lastSequence = lastSequence == Integer.MAX_VALUE ? 1 : lastSequence + 1;
    pendingChanges++;
    return lastSequence;
  }

  /** How many changes have been made since that one; it is pending if more are. */
  private int age(int sequence) {
    int age = lastSequence - sequence;
    return age < 0 ? age + Integer.MAX_VALUE : age;
  }

  private boolean isFromEarlierUnit(int sequence) {
    return age(sequence) < pendingChanges && age(sequence) >= age(sequenceAtUnitStart);
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
    allocate(2 * oldNames.length);
    for (int i = 0; i < oldNames.length; i++) {
      if (oldNames[i] != null) {
        insert(oldNames[i], oldStatements[i], oldSequences[i]);
      }
    }
  }

  private void allocate(int capacity) {
    names = new byte[capacity][];
    statements = new PreparedStatement[capacity];
    sequences = new int[capacity];
    size = 0;
  }

  private void insert(byte[] name, PreparedStatement statement, int sequence) {
    if (size * 2 >= names.length) {
      grow();
    }
    int mask = names.length - 1;
    int index = hash(name) & mask;
    while (names[index] != null) {
      index = (index + 1) & mask;
    }
    names[index] = name;
    statements[index] = statement;
    sequences[index] = sequence;
    size++;
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
