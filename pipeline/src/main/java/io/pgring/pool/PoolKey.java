package io.pgring.pool;

/** What a pool is for: a database as clients name it, and the user they log in as. */
public record PoolKey(String database, String user) {}
