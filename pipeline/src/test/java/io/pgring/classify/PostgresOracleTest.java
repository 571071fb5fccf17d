package io.pgring.classify;

import static io.pgring.classify.Classification.LOCKS;
import static io.pgring.classify.Classification.MAY_COPY_IN;
import static io.pgring.classify.Classification.NOT_UNDERSTOOD;
import static io.pgring.classify.Classification.WRITES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Compares lexer and classifier with PostgreSQL's own parser; skipped where that is not installed.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PostgresOracleTest {
  private static final int GENERATED = 6_000;
  private static final Pattern WRITE =
      Pattern.compile("\"(InsertStmt|UpdateStmt|DeleteStmt|MergeStmt|intoClause|Create\\w+Stmt)\"");
  private static final Pattern COPY_IN =
      Pattern.compile("\"CopyStmt\"(?!.*\"filename\").*\"is_from\":true");

  /**
   * The server continues a string over a line comment (tried on PostgreSQL 15.18); libpg_query's
   * altered lexer does not.
   */
  private static final Pattern CONTINUED_OVER_COMMENT =
      Pattern.compile("'[ \\t\\f\\r\\n]*--[^\\r\\n]*[\\r\\n]");

  private static PostgresParser postgres;

  private final SqlLexer lexer = new SqlLexer();
  private final StatementClassifier classifier = new StatementClassifier();

  @BeforeAll
  static void loadLibrary() {
    postgres = PostgresParser.load();
    assumeTrue(postgres != null, "libpg_query is not installed");
  }

  @Test
  void understandsTheCorpusAsPostgresDoes() {
    for (String text : Corpus.texts()) {
      assertThat(compare(text)).as("PostgreSQL accepts: %s", text).isTrue();
      assertThat(classify(bytes(text)) & NOT_UNDERSTOOD).as(text).isZero();
    }
  }

  @Test
  void readsGeneratedStatementsAsPostgresDoes() {
    int accepted = 0;
    for (int seed = 0; seed < GENERATED; seed++) {
      accepted += compare(new SqlGenerator(seed).statements()) ? 1 : 0;
    }
    assertThat(accepted).isGreaterThan(GENERATED / 3);
  }

  @Test
  void readsNoiseAsPostgresDoes() {
    for (int seed = 0; seed < GENERATED; seed++) {
      compare(new SqlGenerator(seed).noise());
    }
  }

  @Test
  void readsEveryPrefixOfTheCorpusAsPostgresDoes() {
    for (String text : Corpus.texts()) {
      for (int end = 0; end < text.length(); end++) {
        compare(text.substring(0, end));
      }
    }
  }

  /** Returns whether PostgreSQL accepts the text. */
  private boolean compare(String text) {
    byte[] bytes = bytes(text);
    if (CONTINUED_OVER_COMMENT.matcher(text).find()) {
      return false;
    }
    compareTokens(text, bytes);
    List<Integer> ends = postgres.statementEnds(bytes);
    if (ends == null) {
      return false;
    }
    List<StatementKind> kinds = new ArrayList<>();
    List<Integer> ourEnds = split(bytes, kinds);
    int last = ourEnds.size() - 1;
    assertThat(ourEnds.size()).as("statements of: %s", text).isEqualTo(ends.size());
    if (last >= 0 && ourEnds.get(last) == bytes.length) {
      // What trails the last statement belongs to it or not, as one likes.
      ourEnds.set(last, ends.get(last));
    }
    assertThat(ourEnds).as("ends of statements of: %s", text).isEqualTo(ends);
    int from = 0;
    for (int i = 0; i < ends.size(); i++) {
      compareStatement(
          new String(bytes, from, ends.get(i) - from, StandardCharsets.UTF_8), kinds.get(i));
      from = Math.min(bytes.length, ends.get(i) + 1);
    }
    return true;
  }

  private void compareTokens(String text, byte[] bytes) {
    List<Integer> theirs = postgres.tokens(bytes);
    List<Integer> ours = new ArrayList<>();
    lexer.wrap(new UnsafeBuffer(bytes), 0, bytes.length, true, ClientEncoding.ASCII_SAFE);
    while (lexer.next() != Token.END) {
      ours.add(lexer.tokenOffset());
      ours.add(lexer.tokenOffset() + lexer.tokenLength());
      boolean unicode =
          text.regionMatches(true, characters(bytes, lexer.tokenOffset()), "u&", 0, 2);
      if (unicode && theirs != null && ours.size() <= theirs.size()) {
        // libpg_query does not tell where these end.
        theirs.set(ours.size() - 1, ours.get(ours.size() - 1));
      }
    }
    if (theirs != null && !lexer.suspect()) {
      assertThat(ours.toString()).as("tokens of: %s", text).isEqualTo(theirs.toString());
      assertThat(lexer.unterminated()).as("ends: %s", text).isFalse();
    }
  }

  private static int characters(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.UTF_8).length();
  }

  private List<Integer> split(byte[] bytes, List<StatementKind> kinds) {
    List<Integer> ends = new ArrayList<>();
    classifier.begin(new UnsafeBuffer(bytes), 0, bytes.length, true, ClientEncoding.ASCII_SAFE);
    while (classifier.nextStatement()) {
      ends.add(classifier.statementEnd());
      kinds.add(classifier.statementKind());
    }
    return ends;
  }

  private void compareStatement(String statement, StatementKind kind) {
    byte[] bytes = bytes(statement);
    String tree = postgres.tree(bytes);
    assertThat(PostgresKinds.of(tree)).as("kind of: %s", statement).contains(kind);
    long flags = classify(bytes);
    if ((flags & NOT_UNDERSTOOD) == 0) {
      boolean copyIn = COPY_IN.matcher(tree).find();
      assertThat((flags & MAY_COPY_IN) != 0).as("copies in: %s", statement).isEqualTo(copyIn);
    }
    if (WRITE.matcher(tree).find()) {
      assertThat(flags & WRITES).as("writes: %s", statement).isNotZero();
    }
    if (tree.contains("\"lockingClause\"")) {
      assertThat(flags & LOCKS).as("locks: %s", statement).isNotZero();
    }
  }

  private long classify(byte[] bytes) {
    classifier.classify(new UnsafeBuffer(bytes), 0, bytes.length, true, ClientEncoding.ASCII_SAFE);
    return classifier.flags();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
