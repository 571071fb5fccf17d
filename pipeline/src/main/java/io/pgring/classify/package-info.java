/**
 * What a statement is, read from its bytes: a lexer that follows PostgreSQL's own lexical rules,
 * statement boundaries, kind and effects. Decides from the text and two session settings only;
 * knows no sockets, sessions or catalogues. Each lane's classify stage owns one {@link
 * io.pgring.classify.StatementClassifier} and runs it on its own thread; nothing here allocates
 * after construction, throws because of the text, or takes more than linear time.
 */
package io.pgring.classify;
