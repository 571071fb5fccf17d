/** The comparison of endpoints: interleaved rounds, and the ratios within each round. */
package io.pgring.bench.ratio;
