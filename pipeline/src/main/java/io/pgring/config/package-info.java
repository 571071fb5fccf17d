/**
 * The configuration as one immutable object, and the catalogue of every key in it. {@link
 * io.pgring.config.ConfigKey} is the only place where a key's name, type, default, range and
 * meaning are written; parsing, suggestions and the reference page are derived from it. Nothing
 * here reads files. Every type is immutable once built and may be read from any thread.
 */
package io.pgring.config;
