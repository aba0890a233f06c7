package io.jvmtools.internal.thread;

import org.jspecify.annotations.Nullable;

/**
 * What GetThreadInfo answers.
 *
 * @param name the name
 * @param priority the priority
 * @param daemon whether it is a daemon
 * @param group its group, null once it has ended
 * @param loader its context class loader, null for the bootstrap loader
 */
public record ThreadFacts(
    String name,
    int priority,
    boolean daemon,
    @Nullable ThreadGroup group,
    @Nullable ClassLoader loader) {}
