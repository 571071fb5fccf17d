/** Settings that follow a client through transaction pooling. */
package io.pgring.cases.settings;
