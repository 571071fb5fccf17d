/**
 * Scenarios about one client's conversation: which messages are answered with what, in which order,
 * and where transactions end.
 */
package io.pgring.cases.conversation;
