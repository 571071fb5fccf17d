/**
 * What a figure needs beside itself: the machine, the server's settings, the commit, the record.
 */
package io.pgring.bench.report;
