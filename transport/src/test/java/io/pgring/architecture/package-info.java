/**
 * Holds the direction of modules and packages and what hot code may not use. These tests read the
 * main sources of every module, and sit in the lowest one, so that every build runs them.
 */
package io.pgring.architecture;
