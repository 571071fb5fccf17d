/**
 * Chooses the server that a statement may go to, from its class and the configuration alone. Runs
 * on the thread of its stage.
 */
package io.pgring.route;
