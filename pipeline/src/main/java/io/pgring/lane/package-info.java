/**
 * Puts the parts of a lane together and gives them threads: one for everything, one for each stage,
 * or none. The only place that knows the difference.
 */
package io.pgring.lane;
