/**
 * The demo's check: clients with a real driver run a mixed workload through the proxy, then the
 * data and what is left behind are verified at the server. One thread per client; the rest runs on
 * the caller's thread.
 */
package io.pgring.demo.check;
