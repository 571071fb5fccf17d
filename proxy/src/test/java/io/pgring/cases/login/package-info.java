/** Scenarios about the first messages of a connection and about messages that make no sense. */
package io.pgring.cases.login;
