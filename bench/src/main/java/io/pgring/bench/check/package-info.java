/**
 * What the long checks share: their interface and options, and what they look at in the processes
 * under check.
 */
package io.pgring.bench.check;
