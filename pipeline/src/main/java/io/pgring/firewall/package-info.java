/**
 * Decides whether a statement may run, from its class and the configuration alone. Runs on the
 * thread of its stage.
 */
package io.pgring.firewall;
