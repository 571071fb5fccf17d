package io.pgring.bench.ratio;

/**
 * One endpoint in one round.
 *
 * @param tps transactions a second
 * @param cpuMicros processor time of its processes per transaction; NaN when it has none
 * @param p99Millis latency that 99 of 100 transactions stay within
 */
record Sample(double tps, double cpuMicros, double p99Millis) {}
