/**
 * Settings (run-time parameters) that follow a client from one server connection to the next: its
 * startup parameters, and what the server reports as changed. A set of settings is one immutable
 * object per content, so that the usual case, a connection that already has them, is a comparison
 * of two references.
 */
package io.pgring.settings;
