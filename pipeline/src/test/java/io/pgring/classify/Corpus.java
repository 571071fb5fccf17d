package io.pgring.classify;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The hand-written texts: every kind of statement that PostgreSQL has, and what is tricky about
 * reading it.
 */
final class Corpus {
  private Corpus() {}

  static List<String> texts() {
    try (InputStream in = Corpus.class.getResourceAsStream("corpus.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.replace("\\n", "\n"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
