package io.pgring.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;

/** Golden bytes written out by hand: hexadecimal digits, and text in single quotes. */
public final class WireBytes {
  private static final Pattern TOKEN = Pattern.compile("'([^']*)'|([0-9a-f]+)");

  private WireBytes() {}

  /** For instance {@code 51 00000008 'abc' 00}. */
  public static byte[] of(String notation) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Matcher matcher = TOKEN.matcher(notation);
    while (matcher.find()) {
      String text = matcher.group(1);
      out.writeBytes(
          text != null
              ? text.getBytes(StandardCharsets.UTF_8)
              : HexFormat.of().parseHex(matcher.group(2)));
    }
    return out.toByteArray();
  }

  /**
   * The bytes of {@code length} at {@code offset} as UTF-8, or {@code null} for a negative length.
   */
  public static String text(UnsafeBuffer buffer, int offset, int length) {
    return length < 0 ? null : buffer.getStringWithoutLengthUtf8(offset, length);
  }
}
