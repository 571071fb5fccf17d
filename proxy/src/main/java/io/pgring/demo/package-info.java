/**
 * The demo: an embedded PostgreSQL with sample data and a proxy in front of it, in a directory that
 * is removed at the end. Runs on the main thread; the end may come from a shutdown hook.
 */
package io.pgring.demo;
