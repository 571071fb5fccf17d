/** Looking into a running pgring under load: system calls, collections, where the time goes. */
package io.pgring.bench.trace;
