package io.pgring.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The machine a figure comes from; figures compare only with figures of the same kind of machine.
 *
 * @param cpu the processor's model name
 * @param cores processors that this JVM may use
 * @param kernel the operating system and its version
 * @param jdk the Java version and its vendor
 */
public record Machine(String cpu, int cores, String kernel, String jdk) {
  /**
   * @return this machine
   */
  public static Machine current() {
    return new Machine(
        model(read("/proc/cpuinfo")),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.runtime.version") + " " + System.getProperty("java.vendor"));
  }

  /**
   * @return the load averages of the last 1, 5 and 15 minutes
   */
  public static String loadAverage() {
    String[] fields = read("/proc/loadavg").split(" ");
    return fields.length < 3 ? "unknown" : fields[0] + " " + fields[1] + " " + fields[2];
  }

  /**
   * @return the fields in the order of a record, for a report
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("cpu", cpu);
    fields.put("cores", cores);
    fields.put("kernel", kernel);
    fields.put("jdk", jdk);
    return fields;
  }

  /**
   * @param cpuinfo the content of {@code /proc/cpuinfo}
   * @return the model name of the first processor, "unknown" on platforms that do not give one
   */
  static String model(String cpuinfo) {
    return cpuinfo
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      return "";
    }
  }
}
