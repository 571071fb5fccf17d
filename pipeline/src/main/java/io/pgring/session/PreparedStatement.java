package io.pgring.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * A text with its parameter types, prepared by any number of clients under any names and on a
 * server connection under one name. Immutable; shared by all lanes; compared by content, never by a
 * hash alone.
 */
public final class PreparedStatement {
  private final int id;
  private final byte[] sqlAndTypes;
  private final byte[] serverName;
  private final long classification;
  private int references;

  PreparedStatement(int id, byte[] sqlAndTypes, long classification) {
    this.id = id;
    this.sqlAndTypes = sqlAndTypes;
    this.classification = classification;
    this.serverName = ("pgring_" + id).getBytes(StandardCharsets.US_ASCII);
  }

  /** Identity within the process. */
  public int id() {
    return id;
  }

  /** The body of the Parse message behind the statement's name: text, NUL, parameter types. */
  public byte[] sqlAndTypes() {
    return sqlAndTypes;
  }

  /** Name on every server connection, without NUL. */
  public byte[] serverName() {
    return serverName;
  }

  /** Summary of the text's class. */
  public long classification() {
    return classification;
  }

  boolean matches(DirectBuffer buffer, int offset, int length) {
    if (length != sqlAndTypes.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer.getByte(offset + i) != sqlAndTypes[i]) {
        return false;
      }
    }
    return true;
  }

  int contentHash() {
    return Arrays.hashCode(sqlAndTypes);
  }

  int references() {
    return references;
  }

  int addReference(int change) {
    references += change;
    return references;
  }
}
