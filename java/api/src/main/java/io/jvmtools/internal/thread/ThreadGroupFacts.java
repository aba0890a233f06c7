package io.jvmtools.internal.thread;

import org.jspecify.annotations.Nullable;

/**
 * What GetThreadGroupInfo answers.
 *
 * @param parent the group it is in, null for a top-level group
 * @param name the name
 * @param maxPriority the greatest priority its threads can be given
 * @param daemon whether it is a daemon group
 */
public record ThreadGroupFacts(
    @Nullable ThreadGroup parent, String name, int maxPriority, boolean daemon) {}
