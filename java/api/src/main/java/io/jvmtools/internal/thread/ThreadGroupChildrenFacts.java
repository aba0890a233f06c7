package io.jvmtools.internal.thread;

/**
 * What GetThreadGroupChildren answers.
 *
 * @param threads the live threads of the group itself
 * @param groups the groups directly in it
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record ThreadGroupChildrenFacts(Thread[] threads, ThreadGroup[] groups) {}
