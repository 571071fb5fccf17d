/**
 * Microbenchmarks, one class per hot class of the proxy. Every class extends {@link
 * io.pgring.jmh.HotPathBenchmark}, so that all of them are forked, warmed up and measured alike.
 */
package io.pgring.jmh;
