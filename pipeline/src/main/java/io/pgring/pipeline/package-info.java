/** Lanes: selector agent, frame ring, stages and the threads that run them. */
package io.pgring.pipeline;
