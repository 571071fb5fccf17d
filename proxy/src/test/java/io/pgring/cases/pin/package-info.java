/** Field cases about what a session leaves in its server connection that cannot follow it. */
package io.pgring.cases.pin;
