/** The process: command line, composition root, start and end of the threads. */
package io.pgring;
