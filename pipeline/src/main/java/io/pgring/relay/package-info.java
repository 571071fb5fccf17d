/**
 * The last stage: decides what each frame of a session does to the server connection it holds or
 * waits for, and what each answer of a server does to the session. Owns session state, pools,
 * server sockets and the write side of clients; one thread. Data moves through it forwards: {@link
 * io.pgring.relay.RelayStage} takes a frame, {@link io.pgring.relay.ClientRequests} evaluates it,
 * {@link io.pgring.relay.ServerWriter} sends it, {@link io.pgring.relay.ServerResponses} reads the
 * answer, {@link io.pgring.relay.ClientWriter} sends that.
 */
package io.pgring.relay;
