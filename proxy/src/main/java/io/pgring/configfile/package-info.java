/**
 * Reads the configuration from a YAML file or a connection URI, with all problems at once, and
 * writes the reference page of its keys. Keys, defaults and ranges are those of {@link
 * io.pgring.config.ConfigKey}; nothing is known about a key here but its scope and type. Runs on
 * the main thread at start, check and reload; may allocate and block.
 */
package io.pgring.configfile;
