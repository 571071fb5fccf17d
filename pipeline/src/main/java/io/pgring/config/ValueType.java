package io.pgring.config;

import io.pgring.login.AuthMethod;
import io.pgring.login.secret.Secret;
import io.pgring.transport.Address;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What a value may be: how its text is read, how it is written back, and how it is called in
 * messages. Numbers are held as {@link Long}, durations as {@link Long} nanoseconds.
 */
public enum ValueType {
  /** A count without unit. */
  COUNT("a whole number"),
  /** A number of bytes. */
  BYTES("a whole number of bytes"),
  /** Nanoseconds, written in seconds. */
  SECONDS("a number of seconds"),
  /** Nanoseconds, written in milliseconds. */
  MILLISECONDS("a number of milliseconds"),
  /** True or false. */
  FLAG("true or false"),
  /** Any text. */
  TEXT("a text"),
  /** A text that is never printed. */
  SECRET("a text, { file: PATH } or { env: NAME }"),
  /** Several texts. */
  TEXTS("a list of texts"),
  /** One address. */
  ADDRESS("an address: host:port, [IPv6]:port or unix:/path"),
  /** Several addresses. */
  ADDRESSES("a list of addresses: host:port, [IPv6]:port or unix:/path"),
  /** A number of lanes, at least one. */
  LANES("auto or a whole number"),
  /** Permission bits of a file. */
  FILE_MODE("an octal file mode in quotes, like \"0770\""),
  /** {@link PoolMode}. */
  POOL_MODE("session, transaction or statement"),
  /** {@link SessionFeature}. */
  SESSION_FEATURE("pin or reject"),
  /** {@link ThreadingMode} without the one for tests. */
  THREADING("fused or staged"),
  /** {@link AuthMethod}. */
  AUTH_TYPE("trust, password, md5 or scram-sha-256");

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final Pattern OCTAL = Pattern.compile("0?[0-7]{3}");

  private final String description;

  ValueType(String description) {
    this.description = description;
  }

  /** What is expected, in words. */
  public String description() {
    return description;
  }

  /** Whether the value is a list, whose elements are parsed one by one. */
  public boolean isList() {
    return this == TEXTS || this == ADDRESSES;
  }

  /** Whether the file must write the value without quotes. */
  public boolean isBare() {
    return isNumber() || this == FLAG;
  }

  private boolean isNumber() {
    return this == COUNT || this == BYTES || this == SECONDS || this == MILLISECONDS;
  }

  /** A number in the unit of the file as the value holds it. */
  long inUnit(long number) {
    return switch (this) {
      case SECONDS -> TimeUnit.SECONDS.toNanos(number);
      case MILLISECONDS -> TimeUnit.MILLISECONDS.toNanos(number);
      default -> number;
    };
  }

  /**
   * Reads one value, or one element of a list.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  Object parse(String text) {
    return switch (this) {
      case COUNT, BYTES -> whole(text);
      case SECONDS -> nanos(text, TimeUnit.SECONDS);
      case MILLISECONDS -> nanos(text, TimeUnit.MILLISECONDS);
      case FLAG -> flag(text);
      case TEXT, TEXTS -> text;
      case SECRET -> secret(text);
      case ADDRESS, ADDRESSES -> Address.parse(text);
      case LANES -> lanes(text);
      case FILE_MODE -> fileMode(text);
      case POOL_MODE -> choice(PoolMode.class, text);
      case SESSION_FEATURE -> choice(SessionFeature.class, text);
      case THREADING -> threading(text);
      case AUTH_TYPE -> choice(AuthMethod.class, text);
    };
  }

  /** The text that {@link #parse} reads back to this value. */
  String format(Object value) {
    return switch (this) {
      case SECONDS -> decimal(value, TimeUnit.SECONDS);
      case MILLISECONDS -> decimal(value, TimeUnit.MILLISECONDS);
      case FILE_MODE -> String.format("%04o", (Long) value);
      case SECRET -> "***";
      case POOL_MODE, SESSION_FEATURE, THREADING, AUTH_TYPE -> choiceName((Enum<?>) value);
      default -> value.toString();
    };
  }

  private Long whole(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw wrong(text);
    }
    return Long.valueOf(text);
  }

  private Long nanos(String text, TimeUnit unit) {
    if (!DECIMAL.matcher(text).matches()) {
      throw wrong(text);
    }
    return new BigDecimal(text).multiply(BigDecimal.valueOf(unit.toNanos(1))).longValue();
  }

  private static String decimal(Object nanos, TimeUnit unit) {
    return BigDecimal.valueOf((Long) nanos)
        .divide(BigDecimal.valueOf(unit.toNanos(1)))
        .stripTrailingZeros()
        .toPlainString();
  }

  private Boolean flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(text);
    }
    return Boolean.valueOf(text);
  }

  private Long lanes(String text) {
    if (text.equals("auto")) {
      return Math.max(1L, Runtime.getRuntime().availableProcessors() / 2);
    }
    return whole(text);
  }

  private Long fileMode(String text) {
    if (!OCTAL.matcher(text).matches()) {
      throw wrong(text);
    }
    return Long.valueOf(text, 8);
  }

  /** Checked here and kept as text, since whoever uses a secret keeps its own object for it. */
  private static String secret(String text) {
    Secret.parse(text);
    return text;
  }

  private ThreadingMode threading(String text) {
    ThreadingMode mode = choice(ThreadingMode.class, text);
    if (mode == ThreadingMode.INVOKER) {
      throw wrong(text);
    }
    return mode;
  }

  private <E extends Enum<E>> E choice(Class<E> type, String text) {
    for (E value : type.getEnumConstants()) {
      if (choiceName(value).equals(text)) {
        return value;
      }
    }
    throw wrong(text);
  }

  private static String choiceName(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException("must be " + description + ", not '" + text + "'");
  }
}
