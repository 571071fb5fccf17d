/**
 * A PostgreSQL client for tests that need exact control of the bytes: builders for every frontend
 * message, a blocking connection, and a readable notation for what the server answers.
 *
 * <p>Written from the "Frontend/Backend Protocol" chapter alone and sharing no code with the proxy,
 * so that a fault in one is not repeated in the other. Nothing here starts a thread.
 */
package io.pgring.testkit.wire;
