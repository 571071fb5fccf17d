/**
 * What the SHOW commands show: samples taken on each lane's own thread, and the tables made of
 * them, with PgBouncer's columns.
 */
package io.pgring.admin.show;
