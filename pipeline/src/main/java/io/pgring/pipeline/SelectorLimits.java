package io.pgring.pipeline;

/**
 * Sizes a {@link SelectorAgent} works with.
 *
 * @param maxClients slots of the lane
 * @param windowBytes bytes a session may have read but not relayed
 * @param maxStartupBytes longest message before authentication
 * @param maxMessageBytes longest message of the types that may be long
 * @param carryBudgetBytes direct memory for incomplete messages
 */
public record SelectorLimits(
    int maxClients,
    int windowBytes,
    int maxStartupBytes,
    int maxMessageBytes,
    long carryBudgetBytes) {}
