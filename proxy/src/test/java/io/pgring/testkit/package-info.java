/**
 * What tests of the whole proxy are made of: a real PostgreSQL, a proxy started in this JVM, a
 * faulty network between the two, and the matrix of variants over which a scenario runs.
 *
 * <p>A scenario is a method annotated with {@link io.pgring.testkit.ProxyTest}. It runs first
 * against PostgreSQL directly, which shows that the expectation is right, and then against the
 * proxy in each threading, and what its clients received must be the same.
 */
package io.pgring.testkit;
