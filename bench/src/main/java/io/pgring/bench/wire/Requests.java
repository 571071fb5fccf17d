package io.pgring.bench.wire;

import io.pgring.protocol.FrontendEncoder;
import java.nio.ByteBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** The bytes of what a client sends. Stateless, any thread. */
public final class Requests {
  private static final int PROTOCOL_3_0 = 3 << 16;
  private static final byte COPY_DATA = 'd';

  private Requests() {}

  private interface Encoding {
    int into(MutableDirectBuffer buffer);
  }

  /**
   * @param namesAndValues parameters as name, value, name, value
   * @return a StartupMessage
   */
  public static byte[] startup(String... namesAndValues) {
    return bytes(b -> FrontendEncoder.startup(b, 0, PROTOCOL_3_0, namesAndValues));
  }

  /**
   * @param sql one statement or several
   * @return a Query
   */
  public static byte[] query(String sql) {
    return bytes(b -> FrontendEncoder.query(b, 0, sql));
  }

  /**
   * @param rows the content
   * @return a CopyData
   */
  public static byte[] copyData(byte[] rows) {
    return ByteBuffer.allocate(1 + Integer.BYTES + rows.length)
        .put(COPY_DATA)
        .putInt(Integer.BYTES + rows.length)
        .put(rows)
        .array();
  }

  /**
   * @return a Terminate
   */
  public static byte[] terminate() {
    return bytes(b -> FrontendEncoder.terminate(b, 0));
  }

  private static byte[] bytes(Encoding encoding) {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer();
    byte[] message = new byte[encoding.into(buffer)];
    buffer.getBytes(0, message);
    return message;
  }
}
