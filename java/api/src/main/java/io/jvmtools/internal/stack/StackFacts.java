package io.jvmtools.internal.stack;

/**
 * The stacks of several threads.
 *
 * @param threads the threads
 * @param packed longs per frame (1 or 2), then for each thread its state, its number of frames and
 *     its frames
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record StackFacts(Thread[] threads, long[] packed) {}
