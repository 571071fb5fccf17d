package io.pgring.bench.check;

import io.pgring.bench.BenchFailure;
import io.pgring.bench.trace.Jcmd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a process at one moment, in bytes.
 *
 * @param heap live objects, after a full collection; 0 for a process without a Java heap
 * @param direct memory that the Java code took outside of the heap (direct buffers, Unsafe)
 * @param resident what the kernel counts as resident
 */
public record Footprint(long heap, long direct, long resident) {
  private static final Pattern HISTOGRAM_TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final Pattern OTHER_COMMITTED =
      Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
  private static final long KIB = 1_024;

  /**
   * @param jcmd of that JVM, which was started with {@code -XX:NativeMemoryTracking=summary}
   * @param pid its process
   * @return what it holds now
   */
  public static Footprint ofJvm(Jcmd jcmd, long pid) {
    // The histogram collects the heap first, so its total is what is really held.
    long heap = number(HISTOGRAM_TOTAL, jcmd.run("GC.class_histogram"));
    String tracked = jcmd.run("VM.native_memory", "summary", "scale=KB");
    long direct =
        OTHER_COMMITTED.matcher(tracked).find() ? number(OTHER_COMMITTED, tracked) * KIB : 0;
    return new Footprint(heap, direct, residentBytes(pid));
  }

  /**
   * @param pid any process
   * @return what it holds now
   */
  public static Footprint ofProcess(long pid) {
    return new Footprint(0, 0, residentBytes(pid));
  }

  /**
   * @param later another footprint
   * @return how much more that is than this one
   */
  public Footprint growthTo(Footprint later) {
    return new Footprint(later.heap - heap, later.direct - direct, later.resident - resident);
  }

  /**
   * @param pattern one group with a number
   * @param text where to find it
   * @return the number
   */
  private static long number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new BenchFailure("expected " + pattern + " in:\n" + text);
    }
    return Long.parseLong(matcher.group(1));
  }

  private static long residentBytes(long pid) {
    try {
      return number(RESIDENT, Files.readString(Path.of("/proc/" + pid + "/status"))) * KIB;
    } catch (IOException e) {
      throw new BenchFailure("process " + pid + " is gone", e);
    }
  }
}
