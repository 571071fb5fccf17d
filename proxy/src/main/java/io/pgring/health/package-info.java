/**
 * Answers load balancers and supervisors by HTTP. Off unless the configuration has {@code http}; on
 * threads of its own.
 */
package io.pgring.health;
