package io.pgring.pool;

import io.pgring.login.secret.Secret;

/**
 * Who pgring is towards a server. Immutable.
 *
 * @param user role to log in as
 * @param secret its secret, or null when the server is expected to ask for none
 */
public record ServerCredentials(String user, Secret secret) {}
